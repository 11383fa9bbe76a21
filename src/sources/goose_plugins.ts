import { join } from "node:path";
import type { OffSwitch } from "../model/definition.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Scope } from "../model/source.ts";
import { factsOf } from "../platform/local_files.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { movedTo } from "./host_paths.ts";
import type { HostFile, HostFolder } from "./host_source.ts";
import { nameList } from "./name_list.ts";
import { namesAt, projectFolders } from "./project_folders.ts";
import { sideReport } from "./reporter.ts";
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

/** The folders of plugins: those of the project, then the user's. */
export function pluginFolders(
  context: SourceContext,
): readonly (Required<HostFolder> & { readonly base: string })[] {
  const { machine } = context;
  const user = join(movedTo(machine, "GOOSE_PATH_ROOT") ?? machine.home, ".agents", "plugins");
  const inProject = projectFolders(context)
    .map((base) => ({ path: join(base, ".agents", "plugins"), base, scope: "project" as const }))
    .filter(({ path }) => path !== user);
  return [...inProject, { path: user, base: machine.home, scope: "user" }];
}

function plugins(context: SourceContext): readonly Plugin[] {
  return pluginFolders(context)
    .flatMap(({ path, base, scope }) =>
      namesAt(context, path).map((name) => ({ name, root: join(path, name), scope, base }))
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
  format: Pick<HostFormat, "id" | "label">,
  settings: string,
): Promise<SourceReading> {
  const found = plugins(context);
  if (found.length === 0) return reading;
  const roots = await rootsOff(context, settings);
  const lists = await Promise.all(listFiles(context).map((file) => namesOff(context, file)));
  const switches = new Map<string, OffSwitch>();
  for (const { name, root } of found) {
    const list = lists.find(({ names }) => names.includes(name));
    const remedy = `Switch the plugin "${name}" on in Goose`;
    if (roots.has(root)) {
      switches.set(join(root, FILE), { list: "plugins", path: settings, remedy });
    } else if (list !== undefined) {
      switches.set(join(root, FILE), { list: LIST, path: list.document.path, remedy });
    }
  }
  const definitions = reading.definitions.map((definition) => {
    const off = switches.get(definition.source.path ?? "");
    return off === undefined ? definition : switchedOff(definition, off);
  });
  const reports = lists.map(({ document, scope }) => sideReport(format, document, scope));
  return { ...reading, definitions, reports: [...reading.reports, ...reports] };
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
function listFiles({ machine, workspacePath }: SourceContext): readonly Required<HostFolder>[] {
  const home = movedTo(machine, "GOOSE_PATH_ROOT") ?? machine.home;
  const inHome = join(home, ".config", "goose", "settings.json");
  const inProject = ["settings.local.json", "settings.json"]
    .map((name) => join(workspacePath, ".config", "goose", name))
    .filter((path) => path !== inHome);
  return [
    ...inProject.map((path) => ({ path, scope: "project" as const })),
    { path: inHome, scope: "user" },
  ];
}

/** A file with such a list, and the plugins that it switches off. */
interface PluginList {
  readonly document: ConfigDocument;
  readonly scope: Scope;
  readonly names: readonly string[];
}

async function namesOff(
  context: SourceContext,
  { path, scope }: Required<HostFolder>,
): Promise<PluginList> {
  const document = await readConfigDocument(context, { path, project: scope === "project" });
  const list = document.state === "loaded" ? document.root[LIST] : undefined;
  return { document, scope, names: nameList(LIST, list).names };
}
