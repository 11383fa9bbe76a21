import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** What stands for the placeholders of a plugin. */
export interface PluginValues {
  /** Absolute path of the plugin's folder, for `${CLAUDE_PLUGIN_ROOT}`. */
  readonly root: string;
  /** Absolute path of the folder of its data, for `${CLAUDE_PLUGIN_DATA}`. */
  readonly data: string;
  /** Absolute path of the workspace, for `${CLAUDE_PROJECT_DIR}`. */
  readonly project: string;
  /** Values that the user gave the plugin, for `${user_config.NAME}`. */
  readonly options: JsonObject;
  /** What the manifest says about such values; a `default` stands for one that is not given. */
  readonly defaults: JsonObject;
}

/**
 * A plugin's entry with its folders and values in their places; variables of the environment stay
 * placeholders. A value that the user has not given in a file becomes one that must be given:
 * Claude Code keeps secret ones where only it can read them. As from Claude Code, a process gets
 * the folders as variables, too.
 */
export function pluginEntry(raw: JsonValue | undefined, values: PluginValues): JsonValue {
  if (!isJsonObject(raw)) return raw ?? null;
  const entry = replaced(raw, values) as JsonObject;
  const { env } = entry;
  const isProcess = entry["command"] !== undefined;
  if (!isProcess || (env !== undefined && !isJsonObject(env))) return entry;
  const folders = {
    CLAUDE_PLUGIN_ROOT: values.root,
    CLAUDE_PLUGIN_DATA: values.data,
    CLAUDE_PROJECT_DIR: values.project,
  };
  return { ...entry, env: { ...folders, ...env } };
}

/** A value with every text in it replaced. */
function replaced(value: JsonValue | undefined, values: PluginValues): JsonValue | undefined {
  if (typeof value === "string") return replacedText(value, values);
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => replaced(item, values) ?? null);
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, values)]),
  );
}

function replacedText(text: string, values: PluginValues): string {
  const { root, data, project } = values;
  return text
    .replaceAll("${CLAUDE_PLUGIN_ROOT}", () => root)
    .replaceAll("${CLAUDE_PLUGIN_DATA}", () => data)
    .replaceAll("${CLAUDE_PROJECT_DIR}", () => project)
    .replaceAll(/\$\{user_config\.([^}]+)\}/g, (_, name: string) => givenValue(name, values));
}

/** A value of the user's, the manifest's default, or the placeholder of one to be given. */
function givenValue(name: string, { options, defaults }: PluginValues): string {
  const about = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
  const usual = isJsonObject(about) ? about["default"] : undefined;
  const value = Object.hasOwn(options, name) ? options[name] : usual;
  const isPlain = typeof value === "string" || typeof value === "number" ||
    typeof value === "boolean";
  return isPlain ? String(value) : `\${input:${name}}`;
}
