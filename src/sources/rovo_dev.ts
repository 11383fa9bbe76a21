import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, NameSwitch } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withListFiles } from "./listed_elsewhere.ts";
import { projectPlaces } from "./project_folders.ts";

/** Where in its settings the names of servers that are off stand. */
const LIST: readonly string[] = ["mcp", "disabledMcpServers"];

/** Rovo Dev's files. Which placeholders its texts may hold is not documented. */
const FORMAT: HostFormat = {
  id: "rovo-dev",
  label: "Rovo Dev",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcpServers"],
  rename: { transport: "type" },
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    typeKey: "transport",
    off: { kind: "list", path: LIST, file: ({ machine }) => settingsFile(machine) },
  },
};

/** Its settings beside a project's file of servers, which hold the same list. */
const PROJECT_SETTINGS = join(".rovodev", "config.yml");
const OFF: readonly NameSwitch[] = [{ path: LIST, means: "off" }];

/** Rovo Dev: `.rovodev/mcp.json` of the project and of the user. */
export const rovoDev: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".rovodev", "mcp.json")],
  projectFiles: [join(".rovodev", "mcp.json")],
  finish: (reading, context) =>
    withListFiles(reading, context, FORMAT, [
      { path: settingsFile(context.machine), scope: "user", switches: OFF },
      ...projectPlaces(context, PROJECT_SETTINGS)
        .map(({ path }) => ({ path, scope: "project" as const, switches: OFF }))
        // In the home folder it is the user's.
        .filter(({ path }) => path !== settingsFile(context.machine)),
    ]),
});

/** The user's settings. */
function settingsFile(machine: Machine): string {
  return inHome(machine, ".rovodev", "config.yml");
}
