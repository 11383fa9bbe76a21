import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import { GEMINI_KEYS, GEMINI_SETTINGS, geminiEntry } from "./gemini_entry.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome, inRoaming, movedTo } from "./host_paths.ts";
import { type HostFile, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { withSingleTimeout } from "./single_timeout.ts";

/** The settings of Qoder's command line, which are Gemini CLI's with a switch in each entry. */
const FORMAT: HostFormat = {
  ...GEMINI_SETTINGS,
  id: "qoder",
  label: "Qoder",
  rank: 30,
  environment: "base",
  ignore: [...GEMINI_SETTINGS.ignore ?? [], "alwaysAllow", "scope", "toolOverrides"],
  translate: (raw) => geminiEntry(raw, "Qoder"),
  switches: [
    { path: ["mcp", "allowed"], means: "only" },
    { path: ["mcp", "excluded"], means: "off" },
  ],
  spelling: {
    types: { stdio: null, streamable_http: "http", sse: "sse" },
    keys: GEMINI_KEYS,
    off: { kind: "key", key: "disabled", off: true },
    finish: (raw) => ({ raw: withSingleTimeout(raw) }),
  },
};

/** The file of its editor, of which no documentation tells more than where it lies. */
const EDITORS_OWN: Partial<HostFormat> = {
  dialect: "common",
  shared: false,
  confirmed: false,
  switches: [],
};

/** Qoder: settings of the user and of the project, and the editor's file. */
export const qoder: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    join(homeOf(machine), "settings.json"),
    ...editorFiles(machine).map((path): HostFile => ({
      path,
      format: EDITORS_OWN,
      written: false,
    })),
  ],
  projectFiles: [
    { path: join(".qoder", "settings.local.json"), written: false },
    join(".qoder", "settings.json"),
  ],
});

/** The command line's folder of settings. */
function homeOf(machine: Machine): string {
  return movedTo(machine, "QODER_CONFIG_DIR") ?? inHome(machine, ".qoder");
}

function editorFiles(machine: Machine): readonly string[] {
  return machine.platform === "win32"
    ? [inRoaming(machine, "Qoder", "SharedClientCache", "mcp.json")]
    : [inHome(machine, ".qoder", "mcp.json")];
}
