import { isAbsolute, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { factsOf } from "../platform/local_files.ts";
import { pluginFolder } from "./claude_folders.ts";
import {
  type PluginRecord,
  type PluginSettings,
  readPluginSettings,
} from "./claude_plugin_settings.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { sideReport } from "./reporter.ts";
import type { SourceContext } from "./source.ts";

/** A plugin that is switched on here. */
export interface Plugin {
  /** `<plugin>@<marketplace>`. */
  readonly id: string;
  /** Absolute path of its folder. */
  readonly root: string;
  /** By whose word it is on. */
  readonly scope: "user" | "local" | "project";
  /** Values that the user gave it. */
  readonly options: JsonObject;
}

/** The plugins that are installed and switched on here. */
export async function installedPlugins(
  context: SourceContext,
  format: HostFormat,
): Promise<{ readonly plugins: readonly Plugin[]; readonly reports: readonly SourceReport[] }> {
  const path = join(pluginFolder(context.machine), "installed_plugins.json");
  const list = await readConfigDocument(context, { path });
  if (list.state !== "loaded") {
    const until = "no plugin of Claude Code is known";
    return { plugins: [], reports: [sideReport(format, list, "user", { until })] };
  }
  const settings = await readPluginSettings(context, format);
  const { plugins, gone } = pluginsHere(list.root, settings);
  const warnings = gone.map((id) =>
    `The plugin "${id}" is not where it was installed; install it again in Claude Code`
  );
  return {
    plugins,
    reports: [sideReport(format, list, "user", { warnings }), ...settings.reports],
  };
}

/** The plugins of the list that are on here, and those of them whose folder is gone. */
function pluginsHere(
  list: JsonObject,
  settings: PluginSettings,
): { readonly plugins: readonly Plugin[]; readonly gone: readonly string[] } {
  const plugins: Plugin[] = [];
  const gone: string[] = [];
  const installed = list["plugins"];
  for (const [id, value] of Object.entries(isJsonObject(installed) ? installed : {})) {
    // What was installed for this folder is meant here, whatever was installed for all.
    const records = recordsOf(value)
      .sort((a, b) => Number(a.project === null) - Number(b.project === null));
    for (const record of records) {
      const scope = settings.scopeOf(id, record);
      if (scope === null) continue;
      const { root } = record;
      if (factsOf(root)?.isDirectory() !== true) gone.push(id);
      else plugins.push({ id, root, scope, options: settings.optionsOf(id) });
      break;
    }
  }
  return { plugins, gone };
}

/** The installations of one plugin; early lists have one without a scope. */
function recordsOf(value: JsonValue | undefined): PluginRecord[] {
  const items = Array.isArray(value) ? value as readonly JsonValue[] : [value];
  return items.flatMap((item): PluginRecord[] => {
    if (!isJsonObject(item)) return [];
    const { installPath: root, scope, projectPath } = item;
    if (typeof root !== "string" || !isAbsolute(root)) return [];
    if (scope !== "project" && scope !== "local") return [{ root, project: null }];
    return typeof projectPath === "string" ? [{ root, project: projectPath }] : [];
  });
}
