import { join } from "node:path";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inRoaming } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Devin's files, of its command line and of its editor. */
const FORMAT: HostFormat = {
  id: "devin",
  label: "Devin",
  rank: 30,
  dialect: "env-file-colon",
  environment: "base",
  key: ["mcpServers"],
  rename: { transport: "type" },
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null, sse: "sse" },
    typeKey: "transport",
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** The settings, in which older versions kept the servers. */
const SETTINGS: Partial<HostFormat> = { shared: true };

/** Devin: its files of servers, then its settings, of the project and of the user. */
export const devin: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inDevin(machine, "mcp_config.json"),
    { path: inDevin(machine, "config.json"), format: SETTINGS, written: false },
  ],
  projectFiles: [
    { path: join(".devin", "mcp_config.local.json"), written: false },
    join(".devin", "mcp_config.json"),
    { path: join(".devin", "config.local.json"), format: SETTINGS, written: false },
    { path: join(".devin", "config.json"), format: SETTINGS, written: false },
  ],
});

/** A file in the user's folder of Devin. */
function inDevin(machine: Machine, name: string): string {
  const { platform } = machine;
  return platform === "win32"
    ? inRoaming(machine, "devin", name)
    : inConfig(machine, "devin", name);
}

/**
 * Gathers what Devin says about the login. Its editor also knows a `serverUrl`; `http` is what it
 * tries first without a word, too.
 */
function translate(raw: JsonObject): TranslatedEntry {
  const { oauthClientId, oauthClientSecret, oauthResource, transport, serverUrl, ...rest } = raw;
  const login: Readonly<Record<string, JsonValue | undefined>> = {
    clientId: oauthClientId,
    clientSecret: oauthClientSecret,
    resource: oauthResource,
  };
  const given = Object.entries(login).filter(([, value]) => value !== undefined);
  return {
    raw: {
      ...(serverUrl === undefined ? {} : { url: serverUrl }),
      ...rest,
      ...(transport === undefined || transport === "http" ? {} : { transport }),
      ...(given.length === 0 ? {} : { oauth: Object.fromEntries(given) }),
    },
  };
}
