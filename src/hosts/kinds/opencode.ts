import { join } from "node:path";
import { inConfig } from "../../sources/host_paths.ts";
import type { SourceContext } from "../../sources/source.ts";
import { servingWords } from "../gateway_words.ts";
import { withHookHeader } from "../hook_header.ts";
import type { HookRequest, HookScope, HostKind, OwnFinding } from "../host_kind.ts";

/** opencode, by a plugin that gives it one more server; its settings are not touched. */
export const opencodeKind: HostKind = {
  id: "opencode",
  scopes: ["user", "project"],
  programs: ["opencode"],
  traces: ({ machine }) => [inConfig(machine, "opencode")],
  parts: (request) => [{
    what: "file",
    path: pluginFile(request),
    text: pluginText(request),
    folder: null,
  }],
  next: 'Start opencode anew; "opencode mcp list" shows the server hotplug',
  check: (context, scope) => Promise.resolve(check(context, scope)),
};

function pluginFile({ context, scope }: HookRequest): string {
  return scope === "user"
    ? inConfig(context.machine, "opencode", "plugins", "hotplug.js")
    : join(context.workspacePath, ".opencode", "plugins", "hotplug.js");
}

/**
 * The plugin. It has a default export alone, as opencode runs every function that a plugin exports,
 * and other agents that read the folder call the default one. The entry of the user's settings wins
 * key by key, so that `"hotplug": { "enabled": false }` there switches it off.
 */
function pluginText({ program, version }: HookRequest): string {
  const body =
    `// Gives opencode the MCP servers that Hotplug finds. Written by "mcp hooks install opencode".
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PROGRAM = ${JSON.stringify(program)};
const SERVE = ${JSON.stringify(servingWords("opencode"))};

/** Whether a command line is that of Hotplug: other programs are called "mcp", too. */
const isHotplug = ([program, ...args]) => {
  try {
    const options = { encoding: "utf8", timeout: 5000, windowsHide: true };
    const { stdout } = spawnSync(program, [...args, "--version", "--json"], options);
    return JSON.parse(stdout).name === "hotplug";
  } catch {
    return false;
  }
};

/** The program that wrote this file; when it is gone, one of its names on PATH. */
const commandLine = () => {
  if (existsSync(PROGRAM[0])) return PROGRAM;
  return [["hotplug"], ["mcp"]].find(isHotplug) ?? PROGRAM;
};

export default async () => ({
  config: async (config) => {
    const servers = config.mcp ??= {};
    const own = { type: "local", command: [...commandLine(), ...SERVE], enabled: true };
    servers.hotplug = { ...own, ...servers.hotplug };
  },
});
`;
  return withHookHeader("opencode", version, body);
}

/** What of the environment keeps plugins from being loaded. */
function check(
  { machine: { env } }: SourceContext,
  scope: HookScope,
): readonly OwnFinding[] {
  const isSet = (name: string): boolean => !["", "0", "false"].includes(env[name] ?? "");
  const names = [
    "OPENCODE_PURE",
    ...scope === "project" ? ["OPENCODE_DISABLE_PROJECT_CONFIG"] : [],
  ];
  return names.filter(isSet).map((name) => ({
    check: "host-switch",
    severity: "error",
    path: null,
    message: `${name} is set: opencode does not load this plugin`,
    remedy: "Unset that variable",
  }));
}
