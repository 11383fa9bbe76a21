import type { Definition } from "../model/definition.ts";
import type { SourceContext } from "../sources/source.ts";
import { currentPath, editablePlace } from "./entry_place.ts";
import { runEdit } from "./file_edit.ts";
import { changedFiles, type EditOutcome } from "./outcome.ts";

/** How an entry is changed where it stands. */
export interface InPlaceOptions {
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
  /** Ends the waiting for the file. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes a definition from the file in which it stands.
 *
 * @throws {HotplugError} `edit-refused` for one that stands in no file of the user's; what
 * `runEdit` throws.
 */
export async function removeDefinition(
  definition: Definition,
  context: SourceContext,
  options: InPlaceOptions = {},
): Promise<EditOutcome> {
  const { name, source } = definition;
  const { path, keyPath } = editablePlace(definition, "remove");
  let found = false;
  const edited = await runEdit({
    path,
    project: source.scope === "project" ? context : null,
    changes: (root) => {
      const current = currentPath(root, keyPath, definition);
      found = current !== null;
      return current === null ? [] : [{ path: current, value: undefined }];
    },
  }, {
    dryRun: options.dryRun === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return {
    servers: [{ name, done: found ? "removed" : "unchanged", path, error: null, warnings: [] }],
    files: changedFiles([edited]),
  };
}
