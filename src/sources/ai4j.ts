import { join } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { joinReadings } from "./source_reading.ts";
import { readSwitches } from "./switches_file.ts";
import { unsayable } from "./written_entry.ts";

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
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable_http", sse: "sse" },
    keys: ["cwd"],
    finish: (raw) => ({ raw, problems: [...lostArguments(raw), ...lostBlanks(raw)] }),
  },
};

/** AI4J: definitions for the machine, switches for one workspace. */
export const ai4j: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".ai4j", "mcp.json")],
  finish: async (reading, context) =>
    joinReadings([
      reading,
      await readSwitches(context, FORMAT, {
        path: join(context.workspacePath, ".ai4j", "workspace.json"),
        governs: ["ai4j"],
        enabledKey: "enabledMcpServers",
      }),
    ]),
});

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

/** Why AI4J would start the server with fewer arguments than it is written with. */
function lostArguments({ args }: JsonObject): readonly ErrorInfo[] {
  if (!Array.isArray(args) || new Set<unknown>(args).size === args.length) return [];
  return [unsayable("AI4J drops arguments that are repeated")];
}

/** Why AI4J would give the server other texts than are written. */
function lostBlanks({ args, env, headers }: JsonObject): readonly ErrorInfo[] {
  const isChanged = Object.entries({ args, env, headers }).some(([, texts]) =>
    Object.values(texts ?? {}).some((text) =>
      typeof text === "string" && (text.trim() !== text || text === "")
    )
  );
  return isChanged ? [unsayable("AI4J drops blanks around texts, and texts that are blank")] : [];
}
