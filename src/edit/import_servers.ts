import { isAbsolute, resolve } from "node:path";
import type { Definition, ServerConfig } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { approvalReason, needsApproval } from "../plan/approval.ts";
import { baseFolder } from "../plan/folder_trust.ts";
import { type AddOptions, addServers, type EditAnswer } from "./add_servers.ts";
import type { NewServer } from "./new_server.ts";
import { secretFields } from "./secret_fields.ts";
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
  return await addServers(definitions.map((one) => copyOf(one, workspace)), options);
}

/** Whether this user, and not a repository alone, wants a definition to run. */
function isApproved(definition: Definition, { found }: Workspace): boolean {
  if (!needsApproval(definition)) return true;
  return found.input.facts.get(definition)?.approval === "approved";
}

/** A definition as it means the same in any file. */
function copyOf(definition: Definition, workspace: Workspace): NewServer {
  const { name, config, source, problems } = definition;
  const { found } = workspace;
  const { machine: { home }, input: { workspacePath, facts } } = found;
  const base = baseFolder(source, { workspacePath, home });
  const { cwd, envFile, inheritEnv } = config;
  // A host that hands its whole environment on must not lose its servers what they rely on.
  const inherits = inheritEnv === undefined && source.environment === "all" &&
    config.command !== undefined;
  const copied: ServerConfig = {
    ...config,
    ...(cwd === undefined ? {} : { cwd: anchored(cwd, base) }),
    ...(envFile === undefined ? {} : { envFile: anchored(envFile, base) }),
    ...(inherits ? { inheritEnv: true } : {}),
  };
  const approval = facts.get(definition)?.approval ?? "never";
  // Elsewhere nothing would ask for the approval any more.
  const held = isApproved(definition, workspace) ? null : approvalReason(definition, approval);
  return {
    name,
    config: copied,
    dialect: source.dialect,
    problems: held === null ? problems : [held],
    warnings: secretFields(config)
      .map((field) => `"${field}" looks like a secret that is written out; it is copied as it is`),
  };
}

/** A relative path against the folder that it was meant against; placeholders stay. */
function anchored(path: string, base: string): string {
  return isAbsolute(path) || /^(?:~|[!$%{])/.test(path) ? path : resolve(base, path);
}
