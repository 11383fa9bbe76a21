import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { type AddOptions, addServers, type EditAnswer } from "./add_servers.ts";
import { copyOf, isApproved } from "./server_copy.ts";
import { hostNamed } from "./target.ts";
import { readWorkspace, type Workspace } from "./workspace.ts";

/**
 * Copies the servers of a host agent's files to the store, or to another target. Placeholders stay
 * placeholders: no value of a variable is copied. What a repository declares is copied once it is
 * approved.
 *
 * @param names Which of them; none means all.
 * @throws {HotplugError} `usage` for an unknown agent; `unknown-server` for a name that it does not
 * define; what `addServers` throws.
 */
export async function importServers(
  agent: string,
  names: readonly string[],
  options: AddOptions = {},
): Promise<EditAnswer> {
  const source = hostNamed(agent);
  const workspace = await readWorkspace(options);
  const all = workspace.definitions.filter((one) => one.source.id === source.id);
  const own = firstOfEachName([
    ...all.filter((one) => isApproved(one, workspace)),
    // What is left has no other of its name, and is refused.
    ...all,
  ]);
  const missing = names.find((name) => !own.some((one) => one.name === name));
  if (missing !== undefined) {
    throw new HotplugError(
      "unknown-server",
      `${source.label} defines no server ${JSON.stringify(missing)}`,
      { hint: own.length === 0 ? null : `It defines ${own.map(({ name }) => name).join(", ")}` },
    );
  }
  const wanted = own.filter(({ name }) => names.length === 0 || names.includes(name));
  return await copyDefinitions(wanted, workspace, options);
}

/** The first definition of each name. */
function firstOfEachName(definitions: readonly Definition[]): readonly Definition[] {
  const seen = new Set<string>();
  return definitions.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Writes definitions to a target; those that cannot be copied cost none of the others. */
export async function copyDefinitions(
  definitions: readonly Definition[],
  workspace: Workspace,
  options: AddOptions,
): Promise<EditAnswer> {
  const servers = await Promise.all(definitions.map((one) => copyOf(one, workspace)));
  return await addServers(servers, { ...options, anyName: true });
}
