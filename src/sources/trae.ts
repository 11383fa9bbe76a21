import type { HostFormat } from "./host_format.ts";
import { inApplications } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/**
 * Trae's files. Nothing of its own confirms their shape; which placeholders it knows is not told
 * either.
 */
const FORMAT: HostFormat = {
  id: "trae",
  label: "Trae",
  rank: 30,
  dialect: "common",
  environment: "base",
  confirmed: false,
  key: ["mcpServers"],
  ignore: ["fromGalleryId"],
  spelling: { types: { stdio: null, streamable_http: null, sse: null } },
};

/** Trae: `.trae/mcp.json` of the project, and the user's file of either edition. */
export const trae: HostSource = hostSource({
  format: FORMAT,
  files: (machine) =>
    ["Trae", "Trae CN"].map((edition) => inApplications(machine, edition, "User", "mcp.json")),
  projectFiles: [".trae/mcp.json"],
});
