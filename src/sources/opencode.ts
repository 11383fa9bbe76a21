import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inConfig, inHome, inSystem, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { inlineMiss } from "./near_miss.ts";
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
 * holds is no file and is not read, which is told.
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
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: inConfig(machine, "opencode", "mcp.json"),
      scope: "user",
      belongs: inConfig(machine, "opencode", "opencode.json"),
      key: "mcp",
    },
    {
      path: join(workspacePath, ".opencode", "mcp.json"),
      scope: "project",
      belongs: "opencode.json",
      key: "mcp",
    },
  ],
  finish: async (reading, context) => {
    const { machine } = context;
    const inline = inlineMiss(machine, FORMAT, {
      variable: "OPENCODE_CONFIG_CONTENT",
      key: "mcp",
      belongs: inConfig(machine, "opencode", "opencode.json"),
    });
    const switched = await withToolSwitches(reading, context);
    return { ...switched, reports: [...switched.reports, ...inline] };
  },
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
