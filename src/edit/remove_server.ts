import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { shownName } from "../model/remedies.ts";
import type { LoadOptions } from "../plan/survey.ts";
import type { EditAnswer } from "./add_servers.ts";
import { effectiveServers } from "./effective.ts";
import { removeDefinition } from "./remove_definition.ts";
import { type EditTarget, type TargetFile, targetFile } from "./target.ts";
import { readWorkspace, rowNamed, type Workspace } from "./workspace.ts";

/** Which definition of a name is removed, and how. */
export interface RemoveOptions extends LoadOptions {
  /** The file to remove it from. Default: the one that stands for the name here. */
  readonly target?: EditTarget | undefined;
  /** `true`: nothing is written. Default `false`. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Removes a definition: the one that stands for the name here, or that of the file which is named.
 * The answer tells which other definition of the name stands for it since.
 *
 * @throws {HotplugError} `unknown-server`; `edit-refused`; what `runEdit` throws.
 */
export async function removeServer(name: string, options: RemoveOptions = {}): Promise<EditAnswer> {
  const workspace = await readWorkspace(options);
  const definition = chosen(name, workspace, options.target);
  const outcome = await removeDefinition(definition, workspace.found.context, options);
  const effective = options.dryRun === true ? [] : await effectiveServers([name], options);
  return { ...outcome, effective };
}

/** The definition that is meant. */
function chosen(
  name: string,
  workspace: Workspace,
  target: EditTarget | undefined,
): Definition {
  const row = rowNamed(workspace, name);
  if (target !== undefined) {
    const file = targetFile(target, workspace.found.context);
    const there = definitionIn(file, workspace.definitions.filter((one) => one.name === name));
    if (there !== undefined) return there;
    throw notThere(name, `"${file.path}" does not define it`, workspace);
  }
  if (row.definition !== null) return row.definition;
  throw notThere(name, "it is enabled here and defined nowhere", workspace);
}

/**
 * The definition in a target's file and under its key, since a file may hold servers under several;
 * else the strongest in another file of the same agent and scope.
 */
function definitionIn(
  { source: { id }, path, key, project }: TargetFile,
  same: readonly Definition[],
): Definition | undefined {
  const scope = project === null ? "user" : "project";
  const inScope = same.filter(({ source }) => source.id === id && source.scope === scope);
  return inScope.find(({ source }) =>
    source.path === path && isDeepStrictEqual(source.keyPath?.slice(0, -1), [...key])
  ) ?? inScope[0];
}

function notThere(name: string, why: string, workspace: Workspace): HotplugError {
  const places = workspace.definitions.filter((one) => one.name === name)
    .map(({ source }) => source.path ?? source.label);
  return new HotplugError("unknown-server", `Cannot remove ${JSON.stringify(name)}: ${why}`, {
    hint: places.length === 0
      ? `To take it out of the workspace: mcp disable ${shownName(name)}`
      : `It is defined in ${places.map((place) => `"${place}"`).join(", ")}`,
  });
}
