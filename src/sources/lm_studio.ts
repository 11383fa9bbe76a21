import type { HostFormat } from "./host_format.ts";
import { inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** LM Studio's file, which is written like Cursor's. Which placeholders it knows is not told. */
const FORMAT: HostFormat = {
  id: "lm-studio",
  label: "LM Studio",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcpServers"],
  spelling: {
    types: { stdio: null, streamable_http: null, sse: null },
    keys: ["auth"],
  },
};

/** LM Studio: `mcp.json` of its folder, which older versions have in the cache. */
export const lmStudio: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    inHome(machine, ".lmstudio", "mcp.json"),
    inHome(machine, ".cache", "lm-studio", "mcp.json"),
  ],
});
