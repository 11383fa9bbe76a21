import { join } from "node:path";
import type { HostFormat } from "./host_format.ts";
import { extensionFiles, inConfig, inHome, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { OPENCODE_SETTINGS, settingsAt, settingsIn } from "./opencode_format.ts";
import { withToolSwitches } from "./opencode_tools.ts";

/** Kilo Code's settings, which have opencode's shape. */
const FORMAT: HostFormat = {
  ...OPENCODE_SETTINGS,
  id: "kilo",
  label: "Kilo Code",
  rank: 30,
};

/** The files of servers that older versions had, which Kilo Code still reads below its settings. */
const OLDER: Partial<HostFormat> = {
  dialect: "env-colon",
  key: ["mcpServers"],
  shared: false,
  rename: {},
  ignore: ["alwaysAllow", "timeout", "watchPaths"],
  translate: (raw) => ({ raw }),
};

/** Names of the settings file, stronger first. */
const NAMES: readonly string[] = ["kilo.jsonc", "kilo.json"];

/** Folders of its own, in a project and in the home folder, stronger first. */
const FOLDERS: readonly string[] = [".kilo", ".kilocode"];

/**
 * Kilo Code: the settings of the project and of the user, all merged, and below them the files of
 * its older versions.
 */
export const kilo: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    ...settingsIn(NAMES, movedTo(machine, "KILO_CONFIG_DIR")),
    ...FOLDERS.flatMap((folder) => settingsIn(NAMES, inHome(machine, folder))),
    ...settingsAt(movedTo(machine, "KILO_CONFIG")),
    ...NAMES.map((name) => inConfig(machine, "kilo", name)),
    { path: inConfig(machine, "kilo", "config.json"), written: false },
    ...FOLDERS.map((folder) => older(inHome(machine, folder, "mcp.json"))),
    older(inHome(machine, ".kilocode", "cli", "global", "settings", "mcp_settings.json")),
    ...extensionFiles(machine, "kilocode.kilo-code", ["settings", "mcp_settings.json"]).map(older),
  ],
  projectFiles: [
    ...FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...NAMES,
    ...FOLDERS.map((folder) => older(join(folder, "mcp.json"))),
  ],
  finish: withToolSwitches,
});

/** A file of an older version. */
function older(path: string): HostFile {
  return { path, format: OLDER, written: false };
}
