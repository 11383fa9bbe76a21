import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inData, inLocal, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withWholeSeconds } from "./whole_seconds.ts";

/** Crush's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  id: "crush",
  label: "Crush",
  rank: 30,
  dialect: "dollar-command",
  environment: "all",
  key: ["mcp"],
  shared: true,
  layered: true,
  timeoutUnit: "s",
  rename: {
    // A limit for the start; calls have none.
    timeout: "startupTimeout",
    enabled_tools: "enabledTools",
    disabled_tools: "disabledTools",
  },
  ignore: ["oauth_callback_port", "oauth_client_id", "oauth_client_secret", "oauth_token"],
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["startupTimeout", "enabledTools", "disabledTools"],
    off: { kind: "key", key: "disabled", off: true },
    finish: (raw) => ({ raw: withWholeSeconds(raw, ["timeout"]) }),
  },
};

/**
 * Crush: `.crush.json` and `crush.json` of the project, what it keeps itself, the user's settings,
 * and those of the system, all merged. A `crushrc` is a script that Crush runs; it is not read.
 */
export const crush: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: dataFile(machine), written: false },
    configFile(machine),
  ],
  foundFiles: ({ machine }) =>
    machine.platform === "win32" ? [] : [{ path: "/etc/crush/crush.json" }],
  projectFiles: [
    { path: join(".crush", "crush.json"), written: false },
    ".crush.json",
    "crush.json",
  ],
});

/** The user's settings; the variable names the folder. */
function configFile(machine: Machine): string {
  const folder = movedTo(machine, "CRUSH_GLOBAL_CONFIG");
  return folder === null ? inConfig(machine, "crush", "crush.json") : join(folder, "crush.json");
}

/** What Crush writes itself, such as a server that was switched off; the variable names the folder. */
function dataFile(machine: Machine): string {
  const folder = movedTo(machine, "CRUSH_GLOBAL_DATA");
  if (folder !== null) return join(folder, "crush.json");
  const isLocal = machine.platform === "win32" && movedTo(machine, "XDG_DATA_HOME") === null;
  return isLocal ? inLocal(machine, "crush", "crush.json") : inData(machine, "crush", "crush.json");
}

/** An entry; one that holds only the token of a login describes no server. */
function translate(raw: JsonObject): TranslatedEntry {
  const isToken = raw["oauth_token"] !== undefined &&
    ["type", "command", "url"].every((key) => raw[key] === undefined);
  return isToken ? { raw, skip: true } : { raw };
}
