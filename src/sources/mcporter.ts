import { dirname, join } from "node:path";
import type { Machine } from "../model/machine.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSpelling } from "./host_spelling.ts";
import type { HostSource } from "./host_writer.ts";
import { asMcporterEntry, mcporterEntry } from "./mcporter_entry.ts";

/** How entries are written in mcporter's files. */
const SPELLING: HostSpelling = {
  types: { stdio: null, streamable_http: null },
  keys: [
    "cwd",
    "auth",
    "enabledTools",
    "disabledTools",
    "protocol",
    "description",
  ],
};

/** mcporter's files. What it imports from other agents' files is read from those. */
const FORMAT: HostFormat = {
  id: "mcporter",
  label: "mcporter",
  rank: 30,
  dialect: "braces-dollar",
  environment: "all",
  key: ["mcpServers"],
  rename: {
    allowedTools: "enabledTools",
    blockedTools: "disabledTools",
    protocolVersion: "protocol",
  },
  ignore: [
    "chromeDevtoolsRelay",
    "clientName",
    "httpFetch",
    "lifecycle",
    "logging",
    "oauthCommand",
    "refresh",
    "tokenCacheDir",
  ],
  translate: (raw) => mcporterEntry(raw),
  spelling: SPELLING,
};

/** Folder of the file in a project, against which mcporter reads the file's paths. */
const FOLDER = "config";

/** mcporter: its file in the project, and the user's in one of four places. */
export const mcporter: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => userFiles(machine).map((path) => ({ path, base: dirname(path) })),
  projectFiles: [{
    path: join(FOLDER, "mcporter.json"),
    format: {
      translate: (raw) => mcporterEntry(raw, FOLDER),
      spelling: { ...SPELLING, finish: (raw) => ({ raw: asMcporterEntry(raw, FOLDER) }) },
    },
  }],
  nearMisses: ({ workspacePath }) => [
    {
      path: join(workspacePath, "mcporter.json"),
      scope: "project",
      belongs: "config/mcporter.json",
    },
  ],
});

/** The file that a variable names, or else those that mcporter looks for, the first first. */
function userFiles(machine: Machine): readonly string[] {
  const named = movedTo(machine, "MCPORTER_CONFIG");
  if (named !== null) return [named];
  const config = movedTo(machine, "XDG_CONFIG_HOME");
  const folders = [
    ...(config === null ? [] : [join(config, "mcporter")]),
    inHome(machine, ".mcporter"),
  ];
  return folders.flatMap((folder) => [
    join(folder, "mcporter.json"),
    join(folder, "mcporter.jsonc"),
  ]);
}
