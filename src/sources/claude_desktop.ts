import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inApplications, inHome } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Name of the settings file, the same everywhere. */
const FILE = "claude_desktop_config.json";

/** Claude Desktop's settings, of which its local servers are a part. */
const FORMAT: HostFormat = {
  id: "claude-desktop",
  label: "Claude Desktop",
  rank: 30,
  dialect: "literal",
  environment: "base",
  key: ["mcpServers"],
  shared: true,
  translate,
  spelling: { types: { stdio: null } },
};

/** Claude Desktop: its settings file; some builds for Linux write their folder in lower case. */
export const claudeDesktop: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => folders(machine).map((folder) => inApplications(machine, folder, FILE)),
  nearMisses: ({ machine }) =>
    [
      inHome(machine, ".claude", FILE),
      ...folders(machine).map((folder) => inApplications(machine, folder, "settings.json")),
    ].map((path) => (
      { path, scope: "user", belongs: inApplications(machine, "Claude", FILE) }
    )),
});

function folders({ platform }: Machine): readonly string[] {
  return platform === "linux" ? ["Claude", "claude"] : ["Claude"];
}

/** Claude Desktop starts programs alone from its file; remote servers stand elsewhere. */
function translate(raw: JsonObject): TranslatedEntry {
  if (raw["command"] !== undefined || raw["url"] === undefined) return { raw };
  return {
    raw: Object.fromEntries(Object.entries(raw).filter(([key]) => key !== "url" && key !== "type")),
    problems: [{
      code: "config-invalid",
      message: `Cannot use "url": Claude Desktop takes only servers with a "command" from its file`,
      hint: "Its remote servers live in the Connectors of the Claude account; " +
        "add this one to Hotplug with mcp add",
    }],
  };
}
