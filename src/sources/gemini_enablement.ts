import { isJsonObject, type JsonObject } from "../model/json.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { unusableReport } from "./reporter.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/**
 * A reading after the file in which Gemini CLI keeps which servers its user switched off: an
 * object from names, in small letters, to `{ "enabled": false }`. Most users have no such file, so
 * only one that cannot be used is reported.
 */
export async function withEnablement(
  reading: SourceReading,
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  path: string,
): Promise<SourceReading> {
  const document = await readConfigDocument(context, { path });
  const reports = [...reading.reports, ...unusableReport(format, document, "user")];
  if (document.state !== "loaded") return { ...reading, reports };
  const { root } = document;
  const definitions = reading.definitions.map((definition) =>
    isOff(root, definition.name) ? switchedOff(definition, `"${path}"`) : definition
  );
  return { ...reading, definitions };
}

function isOff(root: JsonObject, name: string): boolean {
  const key = name.trim().toLowerCase();
  const state = Object.hasOwn(root, key) ? root[key] : undefined;
  return isJsonObject(state) && state["enabled"] === false;
}
