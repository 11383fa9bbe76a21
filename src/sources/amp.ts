import type { Machine } from "../model/machine.ts";
import type { HostFormat } from "./host_format.ts";
import { EDITORS, inApplications, inConfig, inRoaming, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import type { SourceContext } from "./source.ts";

/** Amp's settings. The key has a dot in it. */
const FORMAT: HostFormat = {
  id: "amp",
  label: "Amp",
  rank: 30,
  dialect: "braces",
  environment: "all",
  key: ["amp.mcpServers"],
  shared: true,
  rename: { includeTools: "enabledTools" },
  // No word for a switch: Amp reads none, and `includeTools` counts in the files of its skills.
  spelling: { types: { stdio: null, streamable_http: null, sse: null } },
};

/** Amp: its settings of the project and of the user, and those of the editors that it sits in. */
export const amp: HostSource = hostSource({
  format: FORMAT,
  files: settingsFiles,
  foundFiles: editorSettings,
  projectFiles: [".amp/settings.json", ".amp/settings.jsonc"],
});

/** The user's settings. What the documentation names for Windows is not what the program asks. */
function settingsFiles(machine: Machine): readonly string[] {
  const named = movedTo(machine, "AMP_SETTINGS_FILE");
  if (named !== null) return [named];
  return [
    inConfig(machine, "amp", "settings.json"),
    inConfig(machine, "amp", "settings.jsonc"),
    ...(machine.platform === "win32" ? [inRoaming(machine, "amp", "settings.json")] : []),
  ];
}

/** The settings of each editor; no new server is written into them. */
function editorSettings({ machine }: SourceContext): readonly HostFile[] {
  return EDITORS.map((editor) => inApplications(machine, editor, "User", "settings.json"))
    .map((path) => ({ path, format: { shared: "foreign", confirmed: false } }));
}
