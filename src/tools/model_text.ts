import type { JsonObject } from "../model/json.ts";
import { replaceHidden } from "./hidden_characters.ts";
import { mapSchema } from "./schema_tree.ts";

/** Keywords of JSON Schema whose value is prose. */
const PROSE: readonly string[] = ["title", "description", "$comment"];

/**
 * A server's text as a model may read it: what no human reviewer would have seen is taken out.
 * Emoji sequences and words of joining scripts stay whole (see `hidden_characters.ts`). [H04]
 */
export function modelText(text: string): string {
  return replaceHidden(text, () => "");
}

/** What a terminal obeys: every control character but the tab and the end of a line. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * A description or title as a host may show it: {@linkcode modelText} without control characters. In a
 * result they may be content; in a description they only drive the terminal of who shows it. [H04]
 */
export function describingText(text: string): string {
  return modelText(text).replace(CONTROLS, "");
}

/**
 * A schema with {@linkcode describingText} applied to its titles and descriptions. Names, constants and
 * defaults stay as they are: a call must send them back exactly. The same object comes back when
 * there is nothing to take out.
 */
export function modelSchemaText(schema: JsonObject): JsonObject {
  return mapSchema(schema, cleanProse);
}

function cleanProse(schema: JsonObject): JsonObject {
  let clean = schema;
  for (const keyword of PROSE) {
    const text = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (typeof text !== "string") continue;
    const seen = describingText(text);
    if (seen !== text) clean = { ...clean, [keyword]: seen };
  }
  return clean;
}
