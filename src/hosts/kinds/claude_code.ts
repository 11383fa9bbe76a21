import { join } from "node:path";
import { hostNamed } from "../../edit/target.ts";
import { HotplugError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import {
  managedFolder,
  projectNames,
  settingsFolder,
  stateFile,
} from "../../sources/claude_folders.ts";
import { projectFolders } from "../../sources/project_folders.ts";
import type { SourceContext } from "../../sources/source.ts";
import { entryIn, gatewayConfig } from "../entry_part.ts";
import { ENTRY_NAME } from "../gateway_words.ts";
import type { HookPart, HookRequest, HostKind, OwnFinding } from "../host_kind.ts";
import { hostSettings, objectAt, textsAt } from "../host_settings.ts";
import { jsonFile } from "../json_file.ts";

/** What Claude Code calls the plugin: by its folder it belongs to no marketplace. */
const PLUGIN = `${ENTRY_NAME}@skills-dir`;
/** What it calls the plugin's server in its lists. */
const SERVER = `plugin:${ENTRY_NAME}:${ENTRY_NAME}`;
/** Its variable that decides on the search for tools, here or in its settings. */
const SEARCH = "ENABLE_TOOL_SEARCH";

/**
 * Claude Code, by a plugin that it finds by itself in the folder of skills: no file of the user's
 * is touched. In a project it takes no servers from there.
 */
export const claudeCodeKind: HostKind = {
  id: "claude-code",
  scopes: ["user"],
  programs: ["claude"],
  traces: ({ machine }) => [settingsFolder(machine), stateFile(machine)],
  parts,
  next: "Start a new session of Claude Code; /mcp lists the server under the plugin hotplug",
  check,
};

function parts(request: HookRequest): readonly HookPart[] {
  const { context, version } = request;
  const source = hostNamed("claude-code");
  const file = source.writer?.fileFor(context, "user") ?? null;
  if (source.writer === undefined || file === null) {
    throw new HotplugError("internal", "Cannot write for Claude Code: it has no file");
  }
  const { format } = source.writer;
  const target = { source, format, path: file.path, key: format.key, offList: null, project: null };
  const folder = join(settingsFolder(context.machine), "skills", ENTRY_NAME);
  const entry = { ...entryIn(target, gatewayConfig("claude-code", request)), alwaysLoad: true };
  const manifest: JsonObject = {
    name: ENTRY_NAME,
    version,
    description: "The MCP servers of this machine and this project, by Hotplug",
  };
  return [
    jsonFile(join(folder, ".claude-plugin", "plugin.json"), manifest, folder),
    jsonFile(join(folder, ".mcp.json"), { mcpServers: { [ENTRY_NAME]: entry } }, folder),
  ];
}

/** What keeps the plugin from being loaded, and its tools from being shown. */
async function check(context: SourceContext): Promise<readonly OwnFinding[]> {
  return [...await switches(context), ...await search(context)];
}

/** Its settings that keep plugins, or this one, or its server, from being loaded. */
async function switches(context: SourceContext): Promise<readonly OwnFinding[]> {
  const managed = join(managedFolder(context.machine), "managed-settings.json");
  const files = [
    managed,
    join(settingsFolder(context.machine), "settings.json"),
    ...projectFolders(context).flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name))
    ),
  ];
  const found: OwnFinding[] = [];
  const off = (path: string, message: string, remedy: string): number =>
    found.push({ check: "host-switch", severity: "error", path, message, remedy });
  for (const path of new Set(files)) {
    const settings = await hostSettings(context, path);
    if (objectAt(settings, "enabledPlugins")[PLUGIN] === false) {
      off(path, "The plugin is switched off", `Take "${PLUGIN}" out of "enabledPlugins"`);
    }
    if (path !== managed) continue;
    if (Array.isArray(settings["strictKnownMarketplaces"])) {
      off(
        path,
        "Whoever manages this machine allows plugins of some marketplaces only",
        'Ask for { "source": "skills-dir" } in "strictKnownMarketplaces"',
      );
    }
    if (settings["allowManagedMcpServersOnly"] === true) {
      off(
        path,
        "Whoever manages this machine allows their own servers only",
        "Ask for the server hotplug to be allowed",
      );
    }
  }
  const path = stateFile(context.machine);
  const state = await hostSettings(context, path);
  const disabled = projectNames(context).flatMap((folder) =>
    textsAt(state, "projects", folder, "disabledMcpServers")
  );
  if (disabled.includes(SERVER)) {
    off(path, "The server is switched off in this project", "Enable it in Claude Code: /mcp");
  }
  return found;
}

/**
 * That not every model is shown a tool that is added while a session runs, unless the search is
 * off.
 */
async function search(context: SourceContext): Promise<readonly OwnFinding[]> {
  const path = join(settingsFolder(context.machine), "settings.json");
  const set = objectAt(await hostSettings(context, path), "env")[SEARCH] ??
    context.machine.env[SEARCH];
  if (["false", "0", "off", "no"].includes(String(set).toLowerCase())) return [];
  return [{
    check: "host-search",
    severity: "info",
    path,
    message: "Models up to 4.6 find a tool that is added later by its tool search alone; newer " +
      "ones are shown it at once",
    remedy: `To show it to every model: "env": { "${SEARCH}": "false" }`,
  }];
}
