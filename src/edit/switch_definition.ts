import type { Definition, OffSwitch, OffUndo } from "../model/definition.ts";
import { type ErrorInfo, HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { shownName } from "../model/remedies.ts";
import type { Scope } from "../model/source.ts";
import { valueAt } from "../sources/config_document.ts";
import { type HostSwitch, offPlaceOf } from "../sources/host_spelling.ts";
import type { SourceContext } from "../sources/source.ts";
import { currentPath, editablePlace } from "./entry_place.ts";
import { type EditedFile, type FileEdit, runEdit, type ValueChange } from "./file_edit.ts";
import { namesWith } from "./list_change.ts";
import { allNamesWithout } from "./listed_names.ts";
import { changedFiles, type EditOutcome, refused } from "./outcome.ts";
import type { InPlaceOptions } from "./remove_definition.ts";
import { formatOf } from "./target.ts";

/**
 * Switches a definition on or off by its own host's switch, in the file in which that stands: every
 * program that reads the file sees it. Switching on undoes whatever of the host's switches it off.
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
  const { name } = definition;
  const { path } = editablePlace(definition, on ? "enable" : "disable");
  const locked = on && definition.config.enabled === false
    ? definition.switchedOffBy?.find(({ undo }) => undo === undefined)
    : undefined;
  if (locked !== undefined) {
    return { servers: [refused(name, path, switchedElsewhere(definition, locked))], files: [] };
  }
  const steps = on ? stepsOn(definition) : [stepOff(definition, context)];
  const edited: EditedFile[] = [];
  for (const file of new Set(steps.map((step) => step.path))) {
    const inFile = steps.filter((step) => step.path === file);
    edited.push(
      await runEdit({
        path: file,
        project: inFile.some(({ scope }) => scope === "project") ? context : null,
        changes: (root) => inFile.flatMap((step) => step.changes(root)),
      }, {
        dryRun: options.dryRun === true,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    );
  }
  const files = changedFiles(edited);
  if (on && files.length === 0 && definition.config.enabled === false) {
    const error = switchedElsewhere(definition, null);
    return { servers: [refused(name, path, error)], files };
  }
  const done = files.length === 0 ? "unchanged" : on ? "enabled" : "disabled";
  const changed = files[0]?.path ?? steps[0]?.path ?? path;
  return { servers: [{ name, done, path: changed, error: null, warnings: [] }], files };
}

/** A part of a switch: what changes in one file. */
interface Step extends Pick<FileEdit, "path" | "changes"> {
  /** Whose file it is. */
  readonly scope: Scope;
}

/**
 * What switches a definition off by its host's own switch.
 *
 * @throws {HotplugError} `edit-refused` for a host without one.
 */
function stepOff(definition: Definition, context: SourceContext): Step {
  const { name, source: { label, scope } } = definition;
  const { path, keyPath } = editablePlace(definition, "disable");
  const format = formatOf(definition);
  const off = format?.spelling?.off;
  if (format === null || off === undefined) {
    throw new HotplugError(
      "edit-refused",
      `Cannot switch ${JSON.stringify(name)} off in its file: ${label} has no switch for it`,
      { hint: `To switch it off here alone: mcp disable ${shownName(name)}` },
    );
  }
  if (off.kind === "key") {
    const changes = (root: JsonObject): readonly ValueChange[] => {
      const at = currentPath(root, keyPath, definition);
      return at === null ? [] : [{ path: [...at, off.key], value: off.off }];
    };
    return { path, scope, changes };
  }
  const list = offPlaceOf(format, context);
  return {
    path: list?.file ?? path,
    scope: list?.file === null ? scope : "user",
    changes: (root) => list === null ? [] : namesWith(root, list.path, name),
  };
}

/** What switches a definition on: its entry, and whatever else of its host switches it off. */
function stepsOn(definition: Definition): readonly Step[] {
  const { source: { scope } } = definition;
  const { path, keyPath } = editablePlace(definition, "enable");
  const off = formatOf(definition)?.spelling?.off;
  const key = off?.kind === "key" ? off : null;
  const own: Step = {
    path,
    scope,
    changes: (root) => {
      const at = currentPath(root, keyPath, definition);
      return at === null ? [] : entryOn(root, at, key);
    },
  };
  const others = (definition.switchedOffBy ?? []).flatMap(({ path, undo }): readonly Step[] =>
    undo === undefined
      ? []
      : [{ path, scope: undo.scope, changes: (root) => undone(root, undo, key) }]
  );
  return [own, ...others];
}

/** What undoes a switch beside an entry. */
function undone(
  root: JsonObject,
  undo: OffUndo,
  key: KeySwitch | null,
): readonly ValueChange[] {
  if (undo.kind === "items") return allNamesWithout(root, undo.keyPath, undo.items);
  if (undo.kind === "entry") return entryOn(root, undo.keyPath, key);
  return valueAt(root, undo.keyPath) === undefined
    ? []
    : [{ path: undo.keyPath, value: undefined }];
}

/** Why an entry stays off: hosts have switches that only they change. */
function switchedElsewhere({ name, source }: Definition, by: OffSwitch | null): ErrorInfo {
  const what = by === null
    ? `something else of ${source.label}`
    : by.list === null
    ? `"${by.path}"`
    : `"${by.list}" of "${by.path}"`;
  return {
    code: "edit-refused",
    message: `Cannot switch ${JSON.stringify(name)} on in its file: ${what} switches it off`,
    hint: by?.remedy ?? `To see what does: mcp explain ${shownName(name)}`,
  };
}

/** A host's switch that is a key of the entry. */
type KeySwitch = Extract<HostSwitch, { readonly kind: "key" }>;

/**
 * What switches an entry on. The word for being off goes, as its absence means the same; but an
 * "enabled" is made to say yes where the host leaves out what does not say it, or where the other
 * entries of the file say it, too.
 */
function entryOn(
  root: JsonObject,
  at: readonly (string | number)[],
  key: KeySwitch | null,
): readonly ValueChange[] {
  const entry = valueAt(root, at);
  if (!isJsonObject(entry)) return [];
  const { enabled, disabled } = entry;
  const own = key === null || key.key === "enabled" || key.key === "disabled" ? null : key;
  const saysYes = key?.on !== undefined || siblingsSay(root, at, "enabled");
  return [
    ...(enabled === undefined || enabled === true
      ? []
      : [{ path: [...at, "enabled"], value: saysYes ? true : undefined }]),
    ...(disabled === undefined || disabled === false
      ? []
      : [{ path: [...at, "disabled"], value: undefined }]),
    ...(own === null || entry[own.key] !== own.off
      ? []
      : [{ path: [...at, own.key], value: undefined }]),
  ];
}

/** Whether another entry beside one has a key. */
function siblingsSay(root: JsonObject, at: readonly (string | number)[], key: string): boolean {
  const holder = valueAt(root, at.slice(0, -1));
  if (typeof holder !== "object" || holder === null) return false;
  const own = valueAt(root, at);
  return Object.values(holder).some((entry) =>
    entry !== own && isJsonObject(entry) && entry[key] !== undefined
  );
}
