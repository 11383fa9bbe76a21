import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Definition } from "../model/definition.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { realPathOf, resolvedPath } from "../platform/local_files.ts";
import { CLAUDE_FORMAT } from "./claude_entry.ts";
import { pluginFolder } from "./claude_folders.ts";
import { installedPlugins, type Plugin } from "./claude_installed_plugins.ts";
import { pluginEntry, type PluginValues } from "./claude_plugin_entry.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { reporter } from "./reporter.ts";
import { toDefinition } from "./server_entry.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/** Servers that plugins of Claude Code bring. */
const FORMAT: HostFormat = { ...CLAUDE_FORMAT, label: "Claude Code plugin", rank: 70 };

/**
 * The servers of the plugins that are installed and switched on here. Servers of `.mcp.json` come
 * first, those of the manifest replace them by name, as Claude Code has it.
 */
export async function readPlugins(context: SourceContext): Promise<SourceReading> {
  const { plugins, reports } = await installedPlugins(context, FORMAT);
  const readings = await Promise.all(plugins.map((plugin) => readPlugin(context, plugin)));
  return joinReadings([{ definitions: [], reports, switches: [] }, ...readings]);
}

/** The servers of one plugin. */
async function readPlugin(context: SourceContext, plugin: Plugin): Promise<SourceReading> {
  const { id, root } = plugin;
  const manifest = await readConfigDocument(context, {
    path: join(root, ".claude-plugin", "plugin.json"),
  });
  const fields = manifest.state === "loaded" ? manifest.root : {};
  const declared = fields["name"];
  const name = typeof declared === "string" && declared !== "" ? declared : id.split("@")[0] ?? id;
  const defaults = isJsonObject(fields["userConfig"]) ? fields["userConfig"] : {};
  const values: PluginValues = {
    root,
    data: join(pluginFolder(context.machine), "data", id.replaceAll(/[^a-zA-Z0-9\-_]/g, "-")),
    project: context.workspacePath,
    options: plugin.options,
    defaults,
  };
  const groups: Group[] = [];
  const warnings: string[] = [];
  const addFile = async (written: string, isOptional: boolean): Promise<void> => {
    const path = fileInside(root, written, warnings);
    if (path === null) return;
    const group = await fileGroup(context, path);
    if (!isOptional && group.document.state === "absent") {
      warnings.push(`"mcpServers" names "${written}", which is not there`);
    }
    groups.push(group);
  };
  await addFile(".mcp.json", true);
  const written = fields["mcpServers"];
  const isList = Array.isArray(written);
  const items = isList ? written as readonly JsonValue[] : [written];
  for (const [index, item] of items.entries()) {
    if (typeof item === "string") {
      await addFile(item, false);
    } else if (isJsonObject(item)) {
      const keyPath = isList ? ["mcpServers", index] : ["mcpServers"];
      groups.push({ document: manifest, servers: item, keyPath });
    } else if (item !== undefined) {
      warnings.push(`"mcpServers" must be an object, a path or a list`);
    }
  }
  return await readGroups(context, plugin, { name, values, manifest, groups, warnings });
}

/** Servers that stand together in one file. */
interface Group {
  readonly document: ConfigDocument;
  readonly servers: JsonObject;
  readonly keyPath: readonly (string | number)[];
}

/** The servers of a file, with and without a wrapper. */
async function fileGroup(context: SourceContext, path: string): Promise<Group> {
  const document = await readConfigDocument(context, { path });
  if (document.state !== "loaded") return { document, servers: {}, keyPath: [] };
  const { root } = document;
  if (!Object.hasOwn(root, "mcpServers")) return { document, servers: root, keyPath: [] };
  const wrapped = root["mcpServers"];
  return { document, servers: isJsonObject(wrapped) ? wrapped : {}, keyPath: ["mcpServers"] };
}

/** The definitions of all groups, a later one in the place of an earlier one of its name. */
async function readGroups(
  context: SourceContext,
  { root, scope }: Plugin,
  found: {
    readonly name: string;
    readonly values: PluginValues;
    readonly manifest: ConfigDocument;
    readonly groups: readonly Group[];
    readonly warnings: readonly string[];
  },
): Promise<SourceReading> {
  const byName = new Map<string, Definition>();
  for (const { document, servers, keyPath } of found.groups) {
    for (const [server, raw] of Object.entries(servers)) {
      if (server.startsWith("$")) continue;
      const name = `plugin:${found.name}:${server}`;
      const entry = { name, raw: pluginEntry(raw, found.values), path: document.path, scope };
      const line = async (): Promise<number | null> =>
        document.state !== "loaded"
          ? null
          : (await document.document.placeOf([...keyPath, server]))?.line ?? null;
      const definition = await toDefinition(
        { ...entry, base: root, warnings: [] },
        FORMAT,
        line,
        context.lines,
      );
      if (definition !== null) byName.set(name, definition);
    }
  }
  const definitions = [...byName.values()];
  const documents = new Set([found.manifest, ...found.groups.map(({ document }) => document)]);
  const reports = [...documents].flatMap((document): SourceReport[] => {
    const { path, state } = document;
    const servers = definitions.filter(({ source }) => source.path === path).length;
    const error = document.state === "loaded" ? null : document.error;
    const warnings = document === found.manifest ? found.warnings : [];
    if (servers === 0 && error === null && warnings.length === 0) return [];
    return [reporter(FORMAT, path, scope)({ state, servers, error, warnings })];
  });
  return { definitions, reports, switches: [] };
}

/** The path of a file that a manifest names; `null`, with a warning, when it is not the plugin's. */
function fileInside(root: string, written: string, warnings: string[]): string | null {
  if (/^[a-z][a-z0-9+.-]+:/i.test(written) || /\.(?:mcpb|dxt)$/i.test(written)) {
    warnings.push(`"mcpServers" names a bundle, which only Claude Code unpacks; it is left out`);
    return null;
  }
  const path = resolve(root, written);
  const real = resolvedPath(path);
  if (isInside(path, root) && (real === null || isInside(real, realPathOf(root)))) return path;
  warnings.push(`"mcpServers" names a file outside of the plugin; it is not read`);
  return null;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
