import type { HostFormat } from "./host_format.ts";
import { inConfig } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Muse Code's settings, of which its servers are a part. It documents no placeholders. */
const FORMAT: HostFormat = {
  id: "muse",
  label: "Muse Code",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcp_servers"],
  shared: true,
  rename: { transport: "type" },
  ignore: ["framing", "mode"],
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable_http" },
    typeKey: "transport",
    off: { kind: "key", key: "enabled", off: false },
  },
};

/** Muse Code: the user's settings. It takes no file without `schema_version`. */
export const muse: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [inConfig(machine, "muse", "settings.json")],
});
