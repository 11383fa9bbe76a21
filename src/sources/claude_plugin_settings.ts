import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Scope, SourceReport } from "../model/source.ts";
import { managedFolder, projectNames, settingsFolder } from "./claude_folders.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import { projectFolders } from "./project_folders.ts";
import { sideReport } from "./reporter.ts";
import type { SourceContext } from "./source.ts";

/** One installation of a plugin, as the list of Claude Code's has it. */
export interface PluginRecord {
  /** Absolute path of the plugin's folder. */
  readonly root: string;
  /** The folder that it was installed for alone; `null`: for all of the user's. */
  readonly project: string | null;
}

/** What the settings files say about plugins, by `<plugin>@<marketplace>`. */
export interface PluginSettings {
  /**
   * Whose word switches a plugin on here; `null` when it is off.
   * - `user`: the user wants it everywhere
   * - `local`: the user installed it for this folder
   * - `project`: only files of the repository do, so its servers need an approval like any of the
   *   repository's
   */
  readonly scopeOf: (id: string, record: PluginRecord) =>
    | Extract<
      Scope,
      "user" | "local" | "project"
    >
    | null;
  /** Values that the user gave a plugin, by their names. */
  readonly optionsOf: (id: string) => JsonObject;
  /** The settings files. */
  readonly reports: readonly SourceReport[];
}

/** What counts as long as a settings file cannot be used. */
const UNTIL = "it switches no plugin on or off";

/** Switches of one settings file. */
type Switches = ReadonlyMap<string, boolean>;

/**
 * Reads the settings files. An administrator's word wins; then the repository's (the personal file
 * of the nearest folder first) before the user's, but the repository alone can only switch off.
 */
export async function readPluginSettings(
  context: SourceContext,
  format: HostFormat,
): Promise<PluginSettings> {
  const { machine } = context;
  const project = projectFolders(context).flatMap((folder) =>
    ["settings.local.json", "settings.json"].map((name) => join(folder, ".claude", name))
  ).filter((path) => context.userFiles?.has(path) !== true);
  const read = (path: string, scope: Scope): Promise<ConfigDocument> =>
    readConfigDocument(context, { path, project: scope === "project" });
  const [managed, user, ...repository] = await Promise.all([
    read(join(managedFolder(machine), "managed-settings.json"), "managed"),
    read(join(settingsFolder(machine), "settings.json"), "user"),
    ...project.map((path) => read(path, "project")),
  ]);
  const switches = { managed: on(managed), user: on(user), repository: repository.map(on) };
  const names = new Set(projectNames(context));
  return {
    scopeOf: (id, record) => scopeOf(id, record, switches, names),
    optionsOf: (id) => optionsOf(user, id),
    reports: [managed, user, ...repository].map((document) => {
      const scope = document === managed ? "managed" : document === user ? "user" : "project";
      return sideReport(format, document, scope, { until: UNTIL });
    }),
  };
}

function scopeOf(
  id: string,
  record: PluginRecord,
  switches: { managed: Switches; user: Switches; repository: readonly Switches[] },
  names: ReadonlySet<string>,
): "user" | "local" | "project" | null {
  if (record.project !== null && !names.has(record.project)) return null;
  const here = record.project !== null;
  const must = switches.managed.get(id);
  if (must !== undefined) return must ? (here ? "local" : "user") : null;
  const inProject = switches.repository.map((one) => one.get(id))
    .find((value) => value !== undefined);
  const wanted = switches.user.get(id);
  if ((inProject ?? wanted) !== true) return null;
  if (here) return "local";
  return wanted === true ? "user" : "project";
}

/** The switches of a file; whatever is neither on nor off says nothing. */
function on(document: ConfigDocument): Switches {
  const values = document.state === "loaded" ? document.root["enabledPlugins"] : undefined;
  if (!isJsonObject(values)) return new Map();
  return new Map(
    Object.entries(values).flatMap(([id, value]) =>
      typeof value === "boolean" ? [[id, value] as const] : []
    ),
  );
}

function optionsOf(document: ConfigDocument, id: string): JsonObject {
  const configs = document.state === "loaded" ? document.root["pluginConfigs"] : undefined;
  const own = isJsonObject(configs) && Object.hasOwn(configs, id) ? configs[id] : undefined;
  const options = isJsonObject(own) ? own["options"] : undefined;
  return isJsonObject(options) ? options : {};
}
