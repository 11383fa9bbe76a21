import { join } from "node:path";
import type { HostFormat, NameSwitch } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withListFiles } from "./listed_elsewhere.ts";
import { projectPlaces } from "./project_folders.ts";

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
  },
};

/** Its settings beside each file of servers, and the list in them. */
const SETTINGS = "config.yml";
const OFF: readonly NameSwitch[] = [{ path: ["mcp", "disabledMcpServers"], means: "off" }];

/** Rovo Dev: `.rovodev/mcp.json` of the project and of the user. */
export const rovoDev: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inHome(machine, ".rovodev", "mcp.json")],
  projectFiles: [join(".rovodev", "mcp.json")],
  finish: (reading, context) =>
    withListFiles(reading, context, FORMAT, [
      { path: inHome(context.machine, ".rovodev", SETTINGS), scope: "user", switches: OFF },
      ...projectPlaces(context, join(".rovodev", SETTINGS))
        .map(({ path }) => ({ path, scope: "project" as const, switches: OFF })),
    ]),
});
