import type { Definition } from "../model/definition.ts";
import { type ErrorInfo, HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { shownName } from "../model/remedies.ts";
import { offListOf } from "../sources/host_spelling.ts";
import type { SourceContext } from "../sources/source.ts";
import { currentPath, editablePlace } from "./entry_place.ts";
import { runEdit, type ValueChange } from "./file_edit.ts";
import { namesWith, namesWithout } from "./list_change.ts";
import { changedFiles, type EditOutcome, refused } from "./outcome.ts";
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
  const format = formatOf(definition);
  const off = format?.spelling?.off;
  if (off === undefined && !on) {
    throw new HotplugError(
      "edit-refused",
      `Cannot switch ${JSON.stringify(name)} off in its file: ${source.label} has no switch for it`,
      { hint: `To switch it off here alone: mcp disable ${shownName(name)}` },
    );
  }
  const edited = await runEdit({
    path,
    project: source.scope === "project" ? context : null,
    changes: (root) => {
      const list = format === null ? null : offListOf(format, context);
      if (list !== null && !on) return namesWith(root, list, name);
      const listed = list === null ? [] : namesWithout(root, list, name);
      const at = currentPath(root, keyPath, definition);
      if (at === null) return listed;
      if (!on && off?.kind === "key") return [{ path: [...at, off.key], value: off.off }];
      return [...listed, ...switchesOn(root, at)];
    },
  }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const files = changedFiles([edited]);
  if (on && files.length === 0 && definition.config.enabled === false) {
    const error = switchedElsewhere(definition);
    return { servers: [refused(name, path, error)], files };
  }
  const done = files.length === 0 ? "unchanged" : on ? "enabled" : "disabled";
  return { servers: [{ name, done, path, error: null, warnings: [] }], files };
}

/** Hosts have further switches than the one of an entry, which only they change. */
function switchedElsewhere({ name, source }: Definition): ErrorInfo {
  return {
    code: "edit-refused",
    message: `Cannot switch ${JSON.stringify(name)} on in its file: something else of ` +
      `${source.label} switches it off`,
    hint: `To see what does: mcp explain ${shownName(name)}`,
  };
}

/**
 * What switches an entry on. An "enabled" that says no is made to say yes, since some hosts leave
 * out what does not say it; a "disabled" goes, as its absence means the same everywhere.
 */
function switchesOn(root: JsonObject, at: readonly (string | number)[]): readonly ValueChange[] {
  let entry: unknown = root;
  for (const step of at) entry = (entry as Record<string | number, unknown>)[step];
  if (!isJsonObject(entry)) return [];
  const { enabled, disabled } = entry;
  return [
    ...(enabled === undefined || enabled === true
      ? []
      : [{ path: [...at, "enabled"], value: true }]),
    ...(disabled === undefined || disabled === false
      ? []
      : [{ path: [...at, "disabled"], value: undefined }]),
  ];
}
