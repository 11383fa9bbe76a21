import { join } from "node:path";
import type { Definition } from "../model/definition.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { nameList } from "./name_list.ts";
import { projectFiles } from "./project_folders.ts";
import { switchedOff } from "./server_entry.ts";
import { readSection, readServerFile } from "./server_file.ts";
import type { Source, SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/** oh-my-pi's own files. */
const FORMAT: HostFormat = {
  id: "oh-my-pi",
  label: "oh-my-pi",
  rank: 90,
  dialect: "braces-command",
  environment: "all",
  key: ["mcpServers"],
  ignore: ["requestIdFormat"],
  translate,
};

/** oh-my-pi: `.omp/mcp.json` of the project and of the user. */
export const ohMyPi: Source = {
  id: FORMAT.id,
  label: FORMAT.label,
  userFiles,
  async read(context): Promise<SourceReading> {
    const paths = projectFiles(context, join(".omp", "mcp.json"));
    const [project, user] = await Promise.all([
      Promise.all(paths.map((path) => readServerFile(context, FORMAT, { path, scope: "project" }))),
      Promise.all(userFiles(context).map((path) => readUserFile(context, path))),
    ]);
    const found = joinReadings([...project, ...user.map((file) => file.reading)]);
    const on = new Set(user.flatMap((file) => file.on));
    const off = new Map(user.flatMap((file) => file.off.map((name) => [name, file.path])));
    return {
      ...found,
      definitions: found.definitions.map((definition) => switched(definition, on, off)),
    };
  },
};

/** The user's files: what the agent itself reads comes before the documented older place. */
function userFiles(context: SourceContext): readonly string[] {
  const folder = join(context.machine.home, ".omp");
  return [join(folder, "agent", "mcp.json"), join(folder, "mcp.json")];
}

/** A user file with the names that it switches, those of project servers included. */
interface UserFile {
  readonly path: string;
  readonly reading: SourceReading;
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** Reads a user file and its two lists. */
async function readUserFile(context: SourceContext, path: string): Promise<UserFile> {
  const document = await readConfigDocument(context, { path });
  const reading = await readSection(context, FORMAT, { document, scope: "user" });
  if (document.state !== "loaded") return { path, reading, on: [], off: [] };
  const on = nameList("enabledServers", document.root["enabledServers"]);
  const off = nameList("disabledServers", document.root["disabledServers"]);
  const reports = reading.reports.map((report) => ({
    ...report,
    warnings: [...report.warnings, ...on.warnings, ...off.warnings],
  }));
  return { path, reading: { ...reading, reports }, on: on.names, off: off.names };
}

/** The definition after the user's lists, of which the one that switches off wins. */
function switched(
  definition: Definition,
  on: ReadonlySet<string>,
  off: ReadonlyMap<string, string>,
): Definition {
  const { name, config } = definition;
  const path = off.get(name);
  if (path !== undefined) return switchedOff(definition, `"disabledServers" of "${path}"`);
  if (config.enabled !== false || !on.has(name)) return definition;
  return { ...definition, config: { ...config, enabled: true } };
}

/** Takes `enabled` and `timeout` as text too, and drops what they cannot mean, as the agent does. */
function translate(raw: JsonObject): TranslatedEntry {
  const warnings: string[] = [];
  const entries: [string, JsonValue | undefined][] = [];
  for (const [key, value] of Object.entries(raw)) {
    const read = key === "enabled"
      ? asBoolean(value)
      : key === "timeout"
      ? asTimeout(value)
      : value;
    if (read === undefined) warnings.push(`"${key}" is ignored: its value has no meaning`);
    else entries.push([key, read]);
  }
  return { raw: Object.fromEntries(entries), warnings };
}

/** A boolean, or its spelling as text; `undefined` for anything else. */
function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

/** Milliseconds from 1, as number or text; `undefined` for anything else. */
function asTimeout(value: unknown): number | undefined {
  const text = typeof value === "string" ? value.trim() : value;
  const number = typeof text === "string" && text !== "" ? Number(text) : text;
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : undefined;
}
