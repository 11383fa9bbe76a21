import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inApplications, inConfig, inHome, inRoaming } from "./host_paths.ts";
import { hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";

/** Zed's settings. Texts mean what they say; its limit is for one call, in seconds. */
const FORMAT: HostFormat = {
  id: "zed",
  label: "Zed",
  rank: 30,
  dialect: "literal",
  environment: "all",
  key: ["context_servers"],
  shared: true,
  timeoutUnit: "s",
  rename: { timeout: "callTimeout" },
  ignore: ["remote", "settings", "source"],
  translate,
  spelling: {
    types: { stdio: null, streamable_http: null },
    keys: ["callTimeout"],
    off: { kind: "key", key: "enabled", off: false },
    finish: wholeSeconds,
  },
};

/** Zed: `context_servers` in the settings of the project and of the user. */
export const zed: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [settingsFile(machine)],
  projectFiles: [".zed/settings.json"],
  nearMisses: ({ machine, workspacePath }) => [
    {
      path: join(workspacePath, ".zed", "mcp.json"),
      scope: "project",
      belongs: ".zed/settings.json",
    },
    // Where other programs of macOS keep their settings, and where tools have put Zed's servers.
    ...(machine.platform === "darwin"
      ? [
        {
          path: inApplications(machine, "Zed", "settings.json"),
          scope: "user",
          belongs: "~/.config/zed/settings.json",
        } as const,
      ]
      : []),
  ],
});

/** On macOS Zed does not ask the variable for the folder. */
function settingsFile(machine: Machine): string {
  if (machine.platform === "win32") return inRoaming(machine, "Zed", "settings.json");
  return machine.platform === "darwin"
    ? inHome(machine, ".config", "zed", "settings.json")
    : inConfig(machine, "zed", "settings.json");
}

/** Flattens the older form, in which `command` holds the whole launch. */
function translate(raw: JsonObject): TranslatedEntry {
  const { command, ...rest } = raw;
  if (isJsonObject(command)) {
    const { path, ...launch } = command;
    return { raw: { ...rest, ...launch, command: path } };
  }
  if (command !== undefined || rest["url"] !== undefined) return { raw };
  return {
    raw: rest,
    problems: [{
      code: "config-invalid",
      message: "Only Zed can start this server: one of its extensions provides it",
      hint: "To run it here too, add it with its own command or url",
    }],
  };
}

/** Zed refuses a fraction of a second. */
function wholeSeconds(raw: JsonObject): { readonly raw: JsonObject } {
  const { timeout } = raw;
  return { raw: typeof timeout === "number" ? { ...raw, timeout: Math.ceil(timeout) } : raw };
}
