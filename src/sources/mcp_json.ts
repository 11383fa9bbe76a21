import { join } from "node:path";
import { CANONICAL_SPELLING } from "./canonical_spelling.ts";
import type { HostFormat } from "./host_format.ts";
import type { HostSource } from "./host_writer.ts";
import { type NearMiss, nearMisses } from "./near_miss.ts";
import { projectPlaces } from "./project_folders.ts";
import { joinReadings } from "./source_reading.ts";
import { readServerFile } from "./server_file.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { storePath } from "./store.ts";

/** `.mcp.json`: the project file that most hosts share. */
const DOT_FORMAT: HostFormat = {
  id: "mcp-json",
  label: ".mcp.json",
  rank: 80,
  dialect: "hotplug",
  environment: "safe",
  key: ["mcpServers"],
  spelling: CANONICAL_SPELLING,
};

/** `mcp.json`: the same without the dot, which only a few hosts read. */
const BARE_FORMAT: HostFormat = { ...DOT_FORMAT, label: "mcp.json", rank: 20 };

/** Where people put a project's servers by mistake, seen from the workspace root. */
const NEAR_MISSES: readonly (readonly string[])[] = [
  [".mcp", "config.json"],
  [".mcp", "mcp.json"],
  [".mcp.jsonc"],
  ["claude_desktop_config.json"],
  ["mcp-config.json"],
  ["mcp.config.json"],
  ["mcp.jsonc"],
  ["mcp_config.json"],
];

/**
 * A project's shared files, from the current folder up to the workspace root. Nearest files come
 * first, so that the nearest of each name wins; the farther ones of the name are given too.
 */
export const mcpJson: HostSource = {
  id: DOT_FORMAT.id,
  label: DOT_FORMAT.label,
  writer: {
    format: DOT_FORMAT,
    fileFor: ({ workspacePath }, scope) =>
      scope === "project" ? { path: join(workspacePath, ".mcp.json") } : null,
  },
  async read(context): Promise<SourceReading> {
    const read = (name: string, format: HostFormat): Promise<SourceReading>[] =>
      projectPlaces(context, name)
        .map(({ path }) => readServerFile(context, format, { path, scope: "project" }));
    const files = [...read(".mcp.json", DOT_FORMAT), ...read("mcp.json", BARE_FORMAT)];
    const root = context.workspacePath;
    const [readings, misses] = await Promise.all([
      Promise.all(files),
      nearMisses(context, DOT_FORMAT, [
        ...NEAR_MISSES.map((parts): NearMiss => ({
          path: join(root, ...parts),
          scope: "project",
          belongs: join(root, ".mcp.json"),
        })),
        ...homeMisses(context),
      ]),
    ]);
    const found = joinReadings(readings);
    return { ...found, reports: [...found.reports, ...misses] };
  },
};

/**
 * The file in the home folder, which no host reads for all projects; on Windows it is Visual
 * Studio's, and in the home folder itself it is the project's.
 */
function homeMisses(context: SourceContext): readonly NearMiss[] {
  const { machine: { home, platform }, workspacePath } = context;
  if (platform === "win32" || workspacePath === home) return [];
  return [{ path: join(home, ".mcp.json"), scope: "user", belongs: storePath(context) }];
}
