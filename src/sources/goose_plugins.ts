import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Scope } from "../model/source.ts";
import { factsOf, namesIn } from "../platform/local_files.ts";
import { type ConfigFile, readConfigDocument } from "./config_document.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { movedTo } from "./host_paths.ts";
import type { HostFile } from "./host_source.ts";
import { nameList } from "./name_list.ts";
import { projectFolders } from "./project_folders.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** A plugin of Goose's that brings servers. */
interface Plugin {
  /** Name of its folder. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly root: string;
  /** Who brought it. */
  readonly scope: Scope;
  /** Absolute folder of relative paths. */
  readonly base: string;
}

/** Where a plugin's servers stand in its folder. */
const FILE = ".mcp.json";

/** The files of servers in Goose's plugins: those of the project, then those of the user. */
export function pluginFiles(context: SourceContext): readonly HostFile[] {
  return plugins(context).map(({ name, root, scope, base }) => ({
    path: join(root, FILE),
    scope,
    base,
    readOnly: true,
    format: pluginFormat(name, root),
  }));
}

function plugins(context: SourceContext): readonly Plugin[] {
  const { machine } = context;
  const user = join(movedTo(machine, "GOOSE_PATH_ROOT") ?? machine.home, ".agents", "plugins");
  const places = projectFolders(context)
    .map((folder) => ({ folder: join(folder, ".agents", "plugins"), base: folder }))
    .filter(({ folder }) => folder !== user)
    .map((place) => ({ ...place, scope: "project" as const }));
  return [...places, { folder: user, base: machine.home, scope: "user" as const }]
    .flatMap(({ folder, base, scope }) =>
      namesIn(folder).map((name) => ({ name, root: join(folder, name), scope, base }))
    )
    .filter(({ root }) => factsOf(join(root, FILE)) !== null);
}

/** A plugin's file is written as Claude's are; Goose puts the plugin before each name. */
function pluginFormat(plugin: string, root: string): Partial<HostFormat> {
  return {
    key: ["mcpServers"],
    shared: false,
    timeoutUnit: "ms",
    rename: {},
    nameOf: (key) => `${plugin}:${key}`,
    translate: (raw) => inPlugin(raw, root),
  };
}

/** Gives an entry the folder of its plugin, also as a variable. */
function inPlugin(raw: JsonObject, root: string): TranslatedEntry {
  const placed = (value: JsonValue | undefined): JsonValue | undefined => {
    // Literal texts have their `${` doubled.
    if (typeof value === "string") return value.replaceAll("$${PLUGIN_ROOT}", () => root);
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).map((item) => placed(item) ?? null);
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item)]));
  };
  const entry = Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, placed(value)]));
  if (entry["command"] === undefined) return { raw: entry };
  const env = entry["env"];
  if (env !== undefined && !isJsonObject(env)) return { raw: entry };
  return { raw: { ...entry, env: { PLUGIN_ROOT: root, ...env } } };
}

/**
 * Switches off the servers of plugins that are off in Goose. What a repository switches on again
 * stays off, unlike in Goose.
 */
export async function withoutDisabledPlugins(
  reading: SourceReading,
  context: SourceContext,
  settings: string,
): Promise<SourceReading> {
  const found = plugins(context);
  if (found.length === 0) return reading;
  const roots = await rootsOff(context, settings);
  const lists = await Promise.all(listFiles(context).map((file) => namesOff(context, file)));
  const reasons = new Map<string, string>();
  for (const { name, root } of found) {
    const list = lists.find(({ names }) => names.includes(name));
    if (roots.has(root)) reasons.set(join(root, FILE), `"plugins" of "${settings}"`);
    else if (list !== undefined) reasons.set(join(root, FILE), `"${LIST}" of "${list.path}"`);
  }
  const definitions = reading.definitions.map((definition) => {
    const reason = reasons.get(definition.source.path ?? "");
    return reason === undefined ? definition : switchedOff(definition, reason);
  });
  return { ...reading, definitions };
}

/** The folders of plugins that Goose's settings switch off. */
async function rootsOff(context: SourceContext, settings: string): Promise<ReadonlySet<string>> {
  const document = await readConfigDocument(context, { path: settings });
  const entries = document.state === "loaded" ? document.root["plugins"] : undefined;
  if (!isJsonObject(entries)) return new Set();
  return new Set(
    Object.entries(entries).flatMap(([root, entry]) =>
      isJsonObject(entry) && entry["enabled"] === false ? [root] : []
    ),
  );
}

/** Key of the list of plugins that are off. */
const LIST = "disabledPlugins";

/** The files that may hold such a list. */
function listFiles({ machine, workspacePath }: SourceContext): readonly ConfigFile[] {
  const home = movedTo(machine, "GOOSE_PATH_ROOT") ?? machine.home;
  return [
    { path: join(workspacePath, ".config", "goose", "settings.local.json"), project: true },
    { path: join(workspacePath, ".config", "goose", "settings.json"), project: true },
    { path: join(home, ".config", "goose", "settings.json") },
  ];
}

/** The plugins that one file switches off. */
async function namesOff(
  context: SourceContext,
  file: ConfigFile,
): Promise<{ readonly path: string; readonly names: readonly string[] }> {
  const document = await readConfigDocument(context, file);
  const list = document.state === "loaded" ? document.root[LIST] : undefined;
  return { path: file.path, names: nameList(LIST, list).names };
}
