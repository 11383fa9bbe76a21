import { configTexts } from "../definitions/config_texts.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";

/** The variable that tells a process of Claude Code's where the project is. */
const PROJECT = "CLAUDE_PROJECT_DIR";
/** The variable that tells a plugin's process where its data is. */
const DATA = "CLAUDE_PLUGIN_DATA";

/**
 * The config of a server that a plugin or an extension brings, without the variable that tells it
 * this project; the fields that name the project, or the folders of the package, are warned about.
 * Any other config is given back as it is. Pure.
 *
 * @param project Absolute path of the workspace, which the package's placeholders became.
 */
export function packagedConfig(
  { config, source: { base, keyPath } }: Definition,
  project: string,
): { readonly config: ServerConfig; readonly warnings: readonly string[] } {
  // What can be edited stands in a file of the user's, and says what it says.
  if (base === undefined || keyPath !== undefined) return { config, warnings: [] };
  const { [PROJECT]: told, ...rest } = config.env ?? {};
  const { env: _env, ...others } = config;
  const without = Object.keys(rest).length === 0 ? others : { ...others, env: rest };
  const copied = told === project ? without : config;
  const data = config.env?.[DATA];
  const folders = [base, ...(typeof data === "string" ? [data] : [])];
  return {
    config: copied,
    warnings: [
      ...warningAbout(copied, [project], "name this project, also where it runs in another one"),
      ...warningAbout(
        copied,
        folders,
        "name folders of the package that brings it, which go with the package's version",
      ),
    ],
  };
}

/** One warning about all fields that name one of some folders; none without any. */
function warningAbout(
  config: ServerConfig,
  folders: readonly string[],
  what: string,
): readonly string[] {
  const fields = fieldsWith(config, folders).map((field) => `"${field}"`);
  return fields.length === 0 ? [] : [`${fields.join(", ")} ${what}`];
}

/** Fields whose text holds the path of one of some folders. */
function fieldsWith(config: ServerConfig, folders: readonly string[]): readonly string[] {
  const holds = (text: string, folder: string): boolean => {
    const at = text.indexOf(folder);
    // The path of another folder may begin with the same letters.
    return folder.length > 1 && at >= 0 && !/^[\w-]/.test(text.slice(at + folder.length));
  };
  return configTexts(config).filter(({ text }) => folders.some((folder) => holds(text, folder)))
    .map(({ field }) => field);
}
