import { dirname, join } from "node:path";
import { configTexts } from "../definitions/config_texts.ts";
import { parseTemplate } from "../definitions/placeholder_syntax.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { GEMINI_KEYS, GEMINI_SETTINGS, geminiEntry } from "./gemini_entry.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, inSystem, movedTo, type SystemFolder } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { unsayable } from "./written_entry.ts";

/**
 * Qwen Code's settings, which are Gemini CLI's but that a `url` means SSE, that the start has a
 * limit of its own, and that the lists of names hold globs.
 */
const FORMAT: HostFormat = {
  ...GEMINI_SETTINGS,
  id: "qwen-code",
  label: "Qwen Code",
  rank: 30,
  dialect: "dollar-only",
  environment: "all",
  rename: {
    ...GEMINI_SETTINGS.rename,
    timeout: "callTimeout",
    discoveryTimeoutMs: "startupTimeout",
  },
  ignore: [
    ...GEMINI_SETTINGS.ignore ?? [],
    "agentPluginV1",
    "alwaysLoadTools",
    "scope",
    "versionNegotiation",
  ],
  translate,
  switches: [
    { path: ["mcp", "allowed"], means: "only", match: "glob" },
    { path: ["mcp", "excluded"], means: "off", match: "glob" },
  ],
  spelling: {
    types: { stdio: null, streamable_http: null, sse: null },
    keys: GEMINI_KEYS,
    off: { kind: "list", path: ["mcp", "excluded"] },
    finish: ({ url, ...rest }, config) => ({
      raw: url === undefined ? rest : { [config.type === "sse" ? "url" : "httpUrl"]: url, ...rest },
      problems: withDefaults(config).map((field) =>
        unsayable(`Qwen Code has no word for the default of a variable, which "${field}" holds`)
      ),
    }),
  },
};

/** Tells the transport as Qwen Code does: by the key of the address alone. */
function translate(raw: JsonObject): TranslatedEntry {
  const { httpUrl, url, type } = raw;
  if (httpUrl !== undefined || url === undefined) return geminiEntry(raw, "Qwen Code");
  const warning = `"type" is ignored: "url" means SSE here; for Streamable HTTP write "httpUrl"`;
  return {
    ...geminiEntry({ ...raw, type: "sse" }, "Qwen Code"),
    warnings: type === undefined || type === "sse" ? [] : [warning],
  };
}

/** Fields with a variable that has a default. It is understood here, but not by Qwen Code. */
function withDefaults(config: ServerConfig): readonly string[] {
  return configTexts(config).filter(({ text, map }) =>
    parseTemplate(text, "dollar-only", map)
      .some((part) => part.kind === "variable" && part.fallback !== null)
  ).map(({ field }) => field);
}

/** Qwen Code: the system's settings, the project's, the user's, and the system's defaults. */
export const qwenCode: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: systemFile(machine), scope: "managed" },
    join(movedTo(machine, "QWEN_HOME") ?? inHome(machine, ".qwen"), "settings.json"),
  ],
  foundFiles: ({ machine }) => [{
    path: movedTo(machine, "QWEN_CODE_SYSTEM_DEFAULTS_PATH") ??
      join(dirname(systemFile(machine)), "system-defaults.json"),
  }],
  projectFiles: [join(".qwen", "settings.json")],
});

/** The folder of the system's settings. */
const SYSTEM: SystemFolder = { linux: "qwen-code", darwin: "QwenCode", win32: "qwen-code" };

/** The settings that an administrator puts above all others. */
function systemFile(machine: Machine): string {
  return movedTo(machine, "QWEN_CODE_SYSTEM_SETTINGS_PATH") ??
    inSystem(machine, SYSTEM, "settings.json");
}
