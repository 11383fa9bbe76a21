import { join } from "node:path";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withSingleTimeout } from "./single_timeout.ts";

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
  spelling: {
    types: { stdio: null, streamable_http: "http", sse: "sse" },
    keys: ["cwd", "startupTimeout", "callTimeout", "auth", "oauth"],
    off: { kind: "key", key: "enabled", off: false },
    finish: (raw) => ({ raw: withSingleTimeout(raw) }),
  },
};

/** The user's lists, which name servers of projects too. */
const USER_LISTS: Partial<HostFormat> = {
  switches: [
    { path: ["disabledServers"], means: "off" },
    { path: ["enabledServers"], means: "on" },
  ],
};

/** oh-my-pi: `.omp/mcp.json` of the project and of the user. */
export const ohMyPi: HostSource = hostSource({
  format: FORMAT,
  // What the agent itself reads comes before the documented older place.
  files: (machine) => [
    { path: inHome(machine, ".omp", "agent", "mcp.json"), format: USER_LISTS },
    { path: inHome(machine, ".omp", "mcp.json"), format: USER_LISTS },
  ],
  projectFiles: [join(".omp", "mcp.json")],
});

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
