import type { OffSwitch } from "../model/definition.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { sideReport } from "./reporter.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/**
 * A reading after the file in which Gemini CLI keeps which servers its user switched off: an
 * object from names, in small letters, to `{ "enabled": false }`.
 */
export async function withEnablement(
  reading: SourceReading,
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  path: string,
): Promise<SourceReading> {
  const document = await readConfigDocument(context, { path });
  const reports = [...reading.reports, sideReport(format, document, "user")];
  if (document.state !== "loaded") return { ...reading, reports };
  const { root } = document;
  const definitions = reading.definitions.map((definition) => {
    const key = definition.name.trim().toLowerCase();
    return isOff(root, key) ? switchedOff(definition, offIn(path, key)) : definition;
  });
  return { ...reading, definitions, reports };
}

function isOff(root: JsonObject, key: string): boolean {
  const state = Object.hasOwn(root, key) ? root[key] : undefined;
  return isJsonObject(state) && state["enabled"] === false;
}

function offIn(path: string, key: string): OffSwitch {
  const remedy = `Take "${key}" out of "${path}"`;
  return { list: key, path, remedy, undo: { kind: "value", scope: "user", keyPath: [key] } };
}
