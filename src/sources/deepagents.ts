import { join } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, NameSwitch } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withListFiles } from "./listed_elsewhere.ts";
import { unsayable } from "./written_entry.ts";

/** Where in its settings the names of servers that are off stand. */
const LIST: readonly string[] = ["mcp", "disabled_servers"];

/** The files of Deep Agents Code, which are Claude's but for their lists of tools. */
const FORMAT: HostFormat = {
  id: "deepagents",
  label: "Deep Agents Code",
  rank: 30,
  dialect: "braces",
  environment: "base",
  key: ["mcpServers"],
  rename: { transport: "type", allowedTools: "enabledTools" },
  spelling: {
    types: { stdio: null, streamable_http: "http", sse: "sse" },
    typeKey: "type",
    keys: ["enabledTools", "disabledTools", "auth"],
    off: { kind: "list", path: LIST, file: ({ machine }) => settingsFile(machine) },
    finish: refusals,
  },
};

/** Names that are off, as they are written now and as they were. */
const OFF: readonly NameSwitch[] = [
  { path: LIST, means: "off" },
  { path: ["mcp_disabled", "servers"], means: "off" },
];

/** Deep Agents Code: `.deepagents/.mcp.json` of the project and of the user. */
export const deepagents: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".deepagents", ".mcp.json")],
  projectFiles: [join(".deepagents", ".mcp.json")],
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: inHome(machine, ".deepagents", "mcp.json"),
      scope: "user",
      belongs: "~/.deepagents/.mcp.json",
    },
    {
      path: join(workspacePath, ".deepagents", "mcp.json"),
      scope: "project",
      belongs: ".deepagents/.mcp.json",
    },
  ],
  finish: (reading, context) =>
    withListFiles(reading, context, FORMAT, [
      { path: settingsFile(context.machine), scope: "user", switches: OFF },
    ]),
});

/** The user's settings. */
function settingsFile(machine: Machine): string {
  return inHome(machine, ".deepagents", "config.toml");
}

/** What the program refuses, and with it the whole file. */
function refusals(
  raw: JsonObject,
  _config: unknown,
  name: string,
): { readonly raw: JsonObject; readonly problems: readonly ErrorInfo[] } {
  const problems: ErrorInfo[] = [];
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    problems.push(unsayable("Deep Agents Code takes letters, digits, - and _ in names"));
  }
  if (raw["allowedTools"] !== undefined && raw["disabledTools"] !== undefined) {
    problems.push(unsayable("Deep Agents Code takes one list of tools, not two"));
  }
  const lists = ["allowedTools", "disabledTools"];
  const isEmpty = (key: string): boolean => {
    const list = raw[key];
    return lists.includes(key) && Array.isArray(list) && list.length === 0;
  };
  const kept = Object.entries(raw).filter(([key]) => !isEmpty(key));
  return { raw: Object.fromEntries(kept), problems };
}
