import { join } from "node:path";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { withoutEmptyTools } from "./empty_tools.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Factory Droid's files. Variables stand in the values of `env` and `headers` alone. */
const FORMAT: HostFormat = {
  id: "factory-droid",
  label: "Factory Droid",
  rank: 30,
  dialect: "common",
  literal: ["command", "args", "cwd", "url"],
  environment: "all",
  key: ["mcpServers"],
  rename: { connectTimeout: "startupTimeout", timeout: "callTimeout" },
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["startupTimeout", "callTimeout", "enabledTools", "disabledTools", "oauth"],
    off: { kind: "key", key: "disabled", off: true },
  },
};

/** Factory Droid: `.factory/mcp.json` of the project and of the user. */
export const factoryDroid: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [join(homeOf(machine), ".factory", "mcp.json")],
  projectFiles: [join(".factory", "mcp.json")],
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: join(homeOf(machine), ".factory", "settings.json"),
      scope: "user",
      belongs: "~/.factory/mcp.json",
    },
    {
      path: join(workspacePath, ".factory", "settings.json"),
      scope: "project",
      belongs: ".factory/mcp.json",
    },
  ],
});

/** What the program takes for the home folder. */
function homeOf(machine: Machine): string {
  return movedTo(machine, "FACTORY_HOME_OVERRIDE") ?? inHome(machine);
}

/** An empty list of tools offers all of them, and a tool may be named with its server's name. */
function translate(raw: JsonObject, name: string): TranslatedEntry {
  const prefix = `${name}___`;
  const bare = (tool: JsonValue): JsonValue =>
    typeof tool === "string" && tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  const entry = withoutEmptyTools(withoutEmptyTools(raw, "enabledTools"), "disabledTools");
  const lists = ["enabledTools", "disabledTools"].flatMap((key) => {
    const list = entry[key];
    return Array.isArray(list) ? [[key, (list as readonly JsonValue[]).map(bare)] as const] : [];
  });
  return { raw: { ...entry, ...Object.fromEntries(lists) } };
}
