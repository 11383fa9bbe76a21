import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { readServerFile } from "./server_file.ts";
import type { Source, SourceContext, SourceReading } from "./source.ts";
import { readSwitches } from "./switches_file.ts";

/** AI4J's store. Its Java process hands its whole environment on. */
const FORMAT: HostFormat = {
  id: "ai4j",
  label: "AI4J",
  rank: 30,
  dialect: "literal",
  environment: "all",
  store: true,
  key: ["mcpServers"],
  translate,
  nameOf: (key) => key.trim(),
};

/** AI4J: definitions for the machine, switches for one workspace. */
export const ai4j: Source = {
  id: FORMAT.id,
  label: FORMAT.label,
  userFiles,
  async read(context): Promise<SourceReading> {
    const [servers, switches] = await Promise.all([
      Promise.all(
        userFiles(context).map((path) => readServerFile(context, FORMAT, { path, scope: "user" })),
      ),
      readSwitches(context, FORMAT, {
        path: join(context.workspacePath, ".ai4j", "workspace.json"),
        governs: ["ai4j"],
        enabledKey: "enabledMcpServers",
      }),
    ]);
    return {
      definitions: servers.flatMap((reading) => reading.definitions),
      reports: [...servers.flatMap((reading) => reading.reports), ...switches.reports],
      switches: switches.switches,
    };
  },
};

/** The store, there or not. */
function userFiles(context: SourceContext): readonly string[] {
  return [join(context.machine.home, ".ai4j", "mcp.json")];
}

/**
 * Trims every text and drops blank ones, as AI4J does when it loads the file. Its dropping of
 * repeated arguments is not followed: `-v a -v b` must stay what it is.
 */
function translate(raw: JsonObject): TranslatedEntry {
  return { raw: trimmedObject(raw) };
}

/** The object with trimmed keys and values, without blank ones. */
function trimmedObject(object: JsonObject): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const trimmed = trimmedValue(value);
    if (key.trim() !== "" && trimmed !== undefined) entries.push([key.trim(), trimmed]);
  }
  return Object.fromEntries(entries);
}

/** The value with its texts trimmed; `undefined` for a blank text and for `null`. */
function trimmedValue(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map(trimmedValue).filter((item) => item !== undefined);
  }
  return isJsonObject(value) ? trimmedObject(value) : value;
}
