import { join } from "node:path";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { shellWord, withShellWords } from "./command_words.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, inProgramData } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/**
 * Auggie's settings, of which its servers are a part. Its command line goes through a shell; what
 * the shell would make of variables without braces is not followed.
 */
const FORMAT: HostFormat = {
  id: "auggie",
  label: "Auggie",
  rank: 30,
  dialect: "common",
  environment: "base",
  key: ["mcpServers"],
  shared: true,
  ignore: ["name", "title", "useShellInterpolation"],
  rename: { timeoutMs: "timeout" },
  translate,
  spelling: {
    types: { stdio: "stdio", streamable_http: "http", sse: "sse" },
    keys: ["cwd"],
    off: { kind: "key", key: "disabled", off: true },
    finish: asShellWords,
  },
};

/** Auggie: settings of the system, of the project and its untracked ones, and of the user. */
export const auggie: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [
    { path: managedFile(machine), scope: "managed" },
    inHome(machine, ".augment", "settings.json"),
  ],
  projectFiles: [
    { path: join(".augment", "settings.local.json"), written: false },
    join(".augment", "settings.json"),
  ],
});

/** The settings that an administrator puts above all others. */
function managedFile(machine: Machine): string {
  return machine.platform === "win32"
    ? inProgramData(machine, "augment", "settings.json")
    : "/etc/augment/settings.json";
}

/** Takes the line apart, and the client's identity to where others have it. */
function translate(raw: JsonObject): TranslatedEntry {
  const { clientId, ...rest } = raw;
  const entry = withShellWords(rest);
  return { raw: clientId === undefined ? entry : { ...entry, oauth: { clientId } } };
}

/** Arguments as the shell has to be told them. */
function asShellWords({ command, args, ...rest }: JsonObject): { readonly raw: JsonObject } {
  if (typeof command !== "string") return { raw: rest };
  const words = Array.isArray(args) ? args as readonly JsonValue[] : [];
  const { type, ...others } = rest;
  return {
    raw: {
      type,
      command: shellWord(command),
      args: words.map((word) => shellWord(String(word))),
      ...others,
    },
  };
}
