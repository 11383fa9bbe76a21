import { HotplugError } from "../model/errors.ts";
import type { LoadOptions } from "../plan/survey.ts";
import { type EffectiveServer, effectiveServers } from "./effective.ts";
import { enableRecorded } from "./enable_recorded.ts";
import type { EditedFile } from "./file_edit.ts";
import type { NewServer } from "./new_server.ts";
import { changedFiles, type EditOutcome } from "./outcome.ts";
import { putServers } from "./put_servers.ts";
import { type EditTarget, targetFile } from "./target.ts";
import { readWorkspace } from "./workspace.ts";

/** How servers are added. */
export interface AddOptions extends LoadOptions {
  /** Where to. Default: the store. */
  readonly target?: EditTarget | undefined;
  /** `true`: another entry of the name is replaced. Default `false`. */
  readonly replace?: boolean | undefined;
  /** `true`: a new name may be any that a file can hold, as it comes from one. Default `false`. */
  readonly anyName?: boolean | undefined;
  /** `true`: what is added to the store is enabled in this workspace, too. Default `false`. */
  readonly enable?: boolean | undefined;
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
}

/** What an edit did, and what stands for each name since. */
export interface EditAnswer extends EditOutcome {
  /** One for each name; empty when nothing was written. */
  readonly effective: readonly EffectiveServer[];
}

/**
 * Writes servers to the store, or to a host's file, in the words of that host. Adding to the store
 * does not enable.
 *
 * @throws {HotplugError} `usage` for a target that does not exist, and to enable what does not go
 * to the store; what `runEdit` throws.
 */
export async function addServers(
  servers: readonly NewServer[],
  options: AddOptions = {},
): Promise<EditAnswer> {
  const { target = { scope: "store" }, dryRun } = options;
  const workspace = await readWorkspace(options);
  const file = targetFile(target, workspace.found.context);
  const enables = options.enable === true;
  if (enables && file.format.store !== true) {
    throw new HotplugError("usage", `Cannot enable what is not added to the store`, {
      hint: "What stands in an agent's file is on already",
    });
  }
  const { found } = workspace;
  // What cannot be enabled is not added either.
  if (enables) {
    for (const { name } of servers) {
      await enableRecorded(name, found, { dryRun: true });
    }
  }
  const outcome = await putServers(servers, file, options);
  const files: EditedFile[] = [...outcome.files];
  const written = outcome.servers.filter(({ done }) => done !== "refused").map(({ name }) => name);
  if (enables) {
    for (const name of written) files.push(...(await enableRecorded(name, found, options)).files);
  }
  const effective = dryRun === true ? [] : await effectiveServers(written, options);
  return { servers: outcome.servers, files: mergedFiles(files), effective };
}

/** One entry a file, from its first text to its last. */
export function mergedFiles(files: readonly EditedFile[]): readonly EditedFile[] {
  const byPath = new Map<string, EditedFile>();
  for (const file of files) {
    const first = byPath.get(file.path);
    byPath.set(file.path, first === undefined ? file : { ...file, before: first.before });
  }
  return changedFiles([...byPath.values()]);
}
