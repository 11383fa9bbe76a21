import { dirname, join } from "node:path";
import { targetFile } from "../../edit/target.ts";
import type { HookScope, HostKind, OwnFinding } from "../host_kind.ts";
import { hostSettings } from "../host_settings.ts";
import { plainHost } from "./plain.ts";

const RELOAD_WINDOW = 'Run "Developer: Reload Window"';

/** Editors and desktop programs that take one entry. */
export const EDITOR_KINDS: readonly HostKind[] = [
  plainHost({
    id: "cursor",
    programs: ["cursor", "cursor-agent"],
    next: 'Switch the server "hotplug" on in Cursor\'s settings under MCP',
    renew: `${RELOAD_WINDOW}, or switch the server off and on in the settings under MCP`,
    check: (_context, scope) => Promise.resolve(startedOutside("Cursor", "cursor", scope)),
  }),
  plainHost({
    id: "vscode",
    programs: ["code"],
    next: 'Run "MCP: List Servers" and start "hotplug"; its tools are in agent mode',
    check: codeCheck("vscode"),
  }),
  plainHost({
    id: "vscode-insiders",
    scopes: ["user"],
    programs: ["code-insiders"],
    next: 'Run "MCP: List Servers" and start "hotplug"; its tools are in agent mode',
    check: codeCheck("vscode-insiders"),
  }),
  plainHost({
    id: "vscodium",
    scopes: ["user"],
    programs: ["codium"],
    next: 'Run "MCP: List Servers" and start "hotplug"',
    renew: 'Run "MCP: List Servers" and restart "hotplug"',
    check: (_context, scope) => Promise.resolve(startedOutside("VSCodium", "vscode", scope)),
  }),
  plainHost({
    id: "zed",
    programs: ["zed"],
    next: "Its tools are in Zed's agent panel; a project's settings ask for trust first",
  }),
  plainHost({
    id: "windsurf",
    scopes: ["user"],
    programs: ["windsurf"],
    next: "Press the refresh button in Windsurf's MCP settings",
    renew: "Press the refresh button in Windsurf's MCP settings",
  }),
  plainHost({
    id: "kiro",
    isDeep: true,
    programs: ["kiro", "kiro-cli"],
    next: "Start a new session of Kiro",
    renew: 'Reconnect "hotplug" in the view of MCP servers, or start a new session',
  }),
  plainHost({
    id: "trae",
    scopes: ["user"],
    next: "Open Trae's MCP settings and see that the server is on",
    renew: "Restart the server in Trae's MCP settings",
  }),
  plainHost({
    id: "jetbrains-ai",
    next: "Open the settings of AI Assistant under MCP and see that the server is on",
    renew: "Restart the server in the settings of AI Assistant",
  }),
  plainHost({
    id: "roo-code",
    next: "Open the MCP view of the extension",
    renew: "Restart the server in the MCP view of the extension",
  }),
  plainHost({
    id: "claude-desktop",
    scopes: ["user"],
    next: "Quit Claude Desktop and start it again",
    renew: "Quit Claude Desktop and start it again",
  }),
  plainHost({
    id: "lm-studio",
    scopes: ["user"],
    next: "Switch the server on in a chat of LM Studio",
    renew: "Switch the server off and on",
  }),
  plainHost({
    id: "antigravity",
    next: "Press refresh in Antigravity's list of MCP servers",
    renew: "Press refresh in Antigravity's list of MCP servers",
  }),
  plainHost({
    id: "warp",
    next: "Start the server in Warp's settings under MCP servers",
    renew: "Restart the server in Warp's settings under MCP servers",
  }),
];

/** The setting by which VS Code starts no servers at all, and where it starts ours. */
function codeCheck(id: string): NonNullable<HostKind["check"]> {
  return async (context, scope) => {
    const outside = startedOutside("VS Code", "vscode", scope);
    const file = targetFile({ scope: "user", host: id }, context).path;
    const path = join(dirname(file), "settings.json");
    if ((await hostSettings(context, path))["chat.mcp.access"] !== "none") return outside;
    return [{
      check: "host-switch",
      severity: "error",
      path,
      message: 'VS Code starts no MCP servers: "chat.mcp.access" is "none"',
      remedy: 'Set "chat.mcp.access" to "all"',
    }, ...outside];
  };
}

/**
 * That an editor starts the servers of its user's file in the home folder, whatever it has open. Its
 * variable for the folder that is open has no value there either: VS Code then starts nothing.
 *
 * @param kind The kind whose hook for a project the editor reads.
 */
function startedOutside(label: string, kind: string, scope: HookScope): readonly OwnFinding[] {
  if (scope === "project") return [];
  return [{
    check: "host-folder",
    severity: "info",
    path: null,
    message: `${label} starts this entry outside of your projects: servers that a project ` +
      "defines or enables are not offered",
    remedy: `In a project, instead of this: mcp hooks install ${kind} --project`,
  }];
}
