import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { readConfigDocument, valueAt } from "../sources/config_document.ts";
import type { SourceContext } from "../sources/source.ts";

/** What a settings file of a host's holds; an empty object when it is absent or cannot be read. */
export async function hostSettings(context: SourceContext, path: string): Promise<JsonObject> {
  const document = await readConfigDocument(context, { path });
  return document.state === "loaded" ? document.root : {};
}

/** The texts of a list in settings; none when there is no list. */
export function textsAt(root: JsonObject, ...path: readonly string[]): readonly string[] {
  const found = valueAt(root, path);
  if (!Array.isArray(found)) return [];
  return (found as readonly JsonValue[]).filter((item) => typeof item === "string");
}

/** The object at a place in settings; an empty one when there is none. */
export function objectAt(root: JsonObject, ...path: readonly string[]): JsonObject {
  const found = valueAt(root, path) as JsonValue | undefined;
  return isJsonObject(found) ? found : {};
}
