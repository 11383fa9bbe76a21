import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inHome, inSystem, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { OPENCODE_SETTINGS, opencodeEntry, settingsAt, settingsIn } from "./opencode_format.ts";
import { withToolSwitches } from "./opencode_tools.ts";

/** opencode's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  ...OPENCODE_SETTINGS,
  id: "opencode",
  label: "opencode",
  rank: 55,
  translate,
};

/** Names of the settings file, stronger first. */
const NAMES: readonly string[] = ["opencode.jsonc", "opencode.json"];

/**
 * opencode: the settings of the system, of the project, and of the user. All are merged, so that
 * an entry of one may be no more than a switch for that of another. What `OPENCODE_CONFIG_CONTENT`
 * holds is no file and is not read.
 */
export const opencode: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    ...managedFiles(machine),
    ...settingsIn(NAMES, movedTo(machine, "OPENCODE_CONFIG_DIR")),
    ...settingsIn(NAMES, inHome(machine, ".opencode")),
    ...settingsAt(movedTo(machine, "OPENCODE_CONFIG")),
    inConfig(machine, "opencode", "opencode.jsonc"),
    inConfig(machine, "opencode", "opencode.json"),
    { path: inConfig(machine, "opencode", "config.json"), written: false },
  ],
  projectFiles: [
    ...NAMES.map((name) => ({ path: join(".opencode", name), written: false })),
    ...NAMES,
  ],
  finish: withToolSwitches,
});

/** What all hosts of this shape read, and what only opencode does not know. */
function translate(raw: JsonObject): TranslatedEntry {
  const warnings = raw["env"] === undefined
    ? []
    : [`"env" should be "environment": opencode itself ignores it`];
  return { ...opencodeEntry(raw), warnings };
}

/** The settings that an administrator puts above all others. */
function managedFiles(machine: Machine): readonly HostFile[] {
  const folder = { linux: "opencode", darwin: "opencode", win32: "opencode" };
  return NAMES.map((name) => ({ path: inSystem(machine, folder, name), scope: "managed" }));
}
