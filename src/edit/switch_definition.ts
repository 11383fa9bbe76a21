import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { SourceContext } from "../sources/source.ts";
import { currentPath, editablePlace } from "./entry_place.ts";
import { runEdit } from "./file_edit.ts";
import { namesWith, namesWithout } from "./list_change.ts";
import { changedFiles, type EditOutcome } from "./outcome.ts";
import type { InPlaceOptions } from "./remove_definition.ts";
import { formatOf } from "./target.ts";

/**
 * Switches a definition on or off by its own host's switch, in the file in which it stands: every
 * program that reads the file sees it.
 *
 * @throws {HotplugError} `edit-refused` for a host without such a switch, and for one that stands
 * in no file of the user's; what `runEdit` throws.
 */
export async function switchDefinition(
  definition: Definition,
  on: boolean,
  context: SourceContext,
  options: InPlaceOptions = {},
): Promise<EditOutcome> {
  const { name, source } = definition;
  const { path, keyPath } = editablePlace(definition, on ? "enable" : "disable");
  const off = formatOf(definition)?.spelling?.off;
  if (off === undefined && !on) {
    throw new HotplugError(
      "edit-refused",
      `Cannot switch ${JSON.stringify(name)} off in its file: ${source.label} has no switch for it`,
      { hint: `To switch it off here alone: mcp disable ${JSON.stringify(name)}` },
    );
  }
  const edited = await runEdit({
    path,
    project: source.scope === "project",
    changes: (root) => {
      if (off?.kind === "list") {
        const list = typeof off.path === "function" ? off.path(context) : off.path;
        return on ? namesWithout(root, list, name) : namesWith(root, list, name);
      }
      const at = currentPath(root, keyPath, definition);
      if (at === null) return [];
      if (!on && off !== undefined) return [{ path: [...at, off.key], value: off.off }];
      return switchesOff(root, at).map((key) => ({ path: [...at, key], value: undefined }));
    },
  }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const files = changedFiles([edited]);
  const done = files.length === 0 ? "unchanged" : on ? "enabled" : "disabled";
  return { servers: [{ name, done, path, error: null, warnings: [] }], files };
}

/** The keys by which an entry is off. */
function switchesOff(root: JsonObject, at: readonly (string | number)[]): readonly string[] {
  let entry: unknown = root;
  for (const step of at) entry = (entry as Record<string | number, unknown>)[step];
  if (!isJsonObject(entry)) return [];
  return [
    ...(isOn(entry["enabled"]) ? [] : ["enabled"]),
    ...(entry["disabled"] === undefined || entry["disabled"] === false ? [] : ["disabled"]),
  ];
}

function isOn(enabled: unknown): boolean {
  return enabled === undefined || enabled === true;
}
