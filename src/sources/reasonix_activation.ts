import { sha256Hex } from "../definitions/digest.ts";
import type { Definition } from "../model/definition.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { sideReport } from "./reporter.ts";
import { switchedOff, switchedOn } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/**
 * A reading after the file in which Reasonix keeps what its user switched on or off: for the user's
 * servers everywhere, for a project's by the hash of the project's folder.
 */
export async function withActivation(
  reading: SourceReading,
  context: SourceContext,
  format: Pick<HostFormat, "id" | "label">,
  path: string,
): Promise<SourceReading> {
  const document = await readConfigDocument(context, { path });
  const reports = [...reading.reports, sideReport(format, document, "user")];
  const listed = document.state === "loaded" ? document.root["overrides"] : undefined;
  if (!Array.isArray(listed)) return { ...reading, reports };
  const overrides = (listed as readonly JsonValue[]).filter(isJsonObject);
  const definitions = await Promise.all(reading.definitions.map(async (definition) => {
    const enabled = await overrideOf(definition, overrides, context);
    if (enabled === false) {
      const remedy = `Switch it on in Reasonix, which keeps it in "${path}"`;
      return switchedOff(definition, { list: "overrides", path, remedy });
    }
    return enabled === true && definition.config.enabled === false
      ? switchedOn(definition)
      : definition;
  }));
  return { ...reading, definitions, reports };
}

/** What the user said of one server; `undefined` when nothing. */
async function overrideOf(
  { name, source }: Definition,
  overrides: readonly JsonObject[],
  { workspacePath }: SourceContext,
): Promise<JsonValue | undefined> {
  const isProject = source.scope === "project";
  const folder = isProject ? await sha256Hex(source.base ?? workspacePath) : undefined;
  return overrides.findLast((one) =>
    one["server"] === name &&
    (isProject
      ? one["scope"] === "workspace" && one["workspace"] === folder
      : one["scope"] === "global")
  )?.["enabled"];
}
