import { dirname, join } from "node:path";
import { configTexts } from "../definitions/config_texts.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import {
  extensionFiles,
  extensionFolders,
  extensionMisses,
  extensionReports,
  withExtensions,
} from "./gemini_extensions.ts";
import { GEMINI_KEYS, GEMINI_SETTINGS, geminiEntry } from "./gemini_entry.ts";
import { withEnablement } from "./gemini_enablement.ts";
import type { HostFormat } from "./host_format.ts";
import { inHome, inSystem, movedTo, type SystemFolder } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import type { NearMiss } from "./near_miss.ts";
import { withSingleTimeout } from "./single_timeout.ts";
import type { SourceContext } from "./source.ts";
import { unsayable } from "./written_entry.ts";

/** Gemini CLI's settings, of which its servers are a part. */
const FORMAT: HostFormat = {
  ...GEMINI_SETTINGS,
  id: "gemini-cli",
  label: "Gemini CLI",
  rank: 60,
  // It leaves out what looks like a secret by its name, which the small set never holds.
  environment: "base",
  layered: true,
  translate: (raw) => geminiEntry(raw, "Gemini CLI"),
  switches: [
    { path: ["mcp", "allowed"], means: "only", match: "any-case" },
    { path: ["mcp", "excluded"], means: "off", match: "any-case" },
  ],
  spelling: {
    types: { stdio: null, streamable_http: "http", sse: "sse" },
    keys: GEMINI_KEYS,
    off: { kind: "list", path: ["mcp", "excluded"] },
    finish: (raw, config) => ({
      raw: withSingleTimeout(raw),
      problems: escapedFields(config).map((field) =>
        unsayable(
          `Gemini CLI leaves out the backslash before a dollar sign, which "${field}" holds`,
        )
      ),
    }),
  },
};

/** Fields of the process with what Gemini CLI takes for an escape. */
function escapedFields(config: ServerConfig): readonly string[] {
  return configTexts(config).filter(({ map, text }) => map !== null && text.includes("\\$"))
    .map(({ field }) => field);
}

/**
 * Gemini CLI: the system's settings, the project's, the user's, the system's defaults, and what
 * its extensions bring.
 */
export const geminiCli: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: systemFile(machine), scope: "managed" },
    join(geminiFolder(machine), "settings.json"),
  ],
  foundFiles: async (context) => {
    const { machine } = context;
    const defaults = movedTo(machine, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH") ??
      join(dirname(systemFile(machine)), "system-defaults.json");
    const extensions = await extensionFiles(context, geminiFolder(machine), FORMAT);
    return [{ path: defaults }, ...extensions];
  },
  projectFiles: [join(".gemini", "settings.json")],
  folders: ({ machine }) => extensionFolders(geminiFolder(machine)),
  nearMisses: (context) => [
    ...extensionMisses(context, geminiFolder(context.machine)),
    ...misnamed(context),
  ],
  finish: async (reading, context) => {
    const folder = geminiFolder(context.machine);
    const reports = await extensionReports(context, folder, FORMAT);
    return await withEnablement(
      { ...withExtensions(reading), reports: [...reading.reports, ...reports] },
      context,
      FORMAT,
      join(folder, "mcp-server-enablement.json"),
    );
  },
});

/** Servers in a file of their own, as other agents have them. */
function misnamed({ machine, workspacePath }: SourceContext): readonly NearMiss[] {
  const folder = geminiFolder(machine);
  const belongs = join(folder, "settings.json");
  const inProject = join(workspacePath, ".gemini", "mcp.json");
  const own: NearMiss = { path: join(folder, "mcp.json"), scope: "user", belongs };
  if (inProject === own.path) return [own];
  return [own, { path: inProject, scope: "project", belongs: ".gemini/settings.json" }];
}

/** The user's folder; the variable moves the home that it lies in. */
function geminiFolder(machine: Machine): string {
  const home = movedTo(machine, "GEMINI_CLI_HOME");
  return home === null ? inHome(machine, ".gemini") : join(home, ".gemini");
}

/** The folder of the system's settings. */
const SYSTEM: SystemFolder = { linux: "gemini-cli", darwin: "GeminiCli", win32: "gemini-cli" };

/** The settings that an administrator puts above all others. */
function systemFile(machine: Machine): string {
  return movedTo(machine, "GEMINI_CLI_SYSTEM_SETTINGS_PATH") ??
    inSystem(machine, SYSTEM, "settings.json");
}
