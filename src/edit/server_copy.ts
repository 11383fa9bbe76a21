import { inputsOf } from "../definitions/config_reads.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import { approvalReason, needsApproval } from "../plan/approval.ts";
import { baseFolder } from "../plan/folder_trust.ts";
import { readConfigDocument } from "../sources/config_document.ts";
import { anchoredPath } from "./anchored_path.ts";
import type { NewServer } from "./new_server.ts";
import { packagedConfig } from "./packaged_config.ts";
import { secretFields } from "./secret_fields.ts";
import { inputDefinitions } from "./vscode_inputs.ts";
import type { Workspace } from "./workspace.ts";

/** Whether this user, and not a repository alone, wants a definition to run. */
export function isApproved(definition: Definition, { found }: Workspace): boolean {
  if (!needsApproval(definition)) return true;
  return found.input.facts.get(definition)?.approval === "approved";
}

/** A definition as it means the same in any file. */
export async function copyOf(definition: Definition, workspace: Workspace): Promise<NewServer> {
  const { name, source, problems } = definition;
  const { found } = workspace;
  const { machine: { home }, input: { workspacePath, facts } } = found;
  const base = baseFolder(source, { workspacePath, home });
  const { config, warnings } = packagedConfig(definition, workspacePath);
  const { cwd, envFile, inheritEnv } = config;
  // A host that hands its whole environment on must not lose its servers what they rely on.
  const inherits = inheritEnv === undefined && source.environment === "all" &&
    config.command !== undefined;
  const copied: ServerConfig = {
    ...config,
    ...(cwd === undefined ? {} : { cwd: anchoredPath(cwd, base) }),
    ...(envFile === undefined ? {} : { envFile: anchoredPath(envFile, base) }),
    ...(inherits ? { inheritEnv: true } : {}),
  };
  const approval = facts.get(definition)?.approval ?? "never";
  // Elsewhere nothing would ask for the approval any more.
  const held = isApproved(definition, workspace) ? null : approvalReason(definition, approval);
  const secrets = secretFields(config)
    .map((field) => `"${field}" looks like a secret that is written out; it is copied as it is`);
  const inputs = await knownInputs(definition, workspace);
  return {
    name,
    config: copied,
    dialect: source.dialect,
    problems: held === null ? problems : [held],
    warnings: [...warnings, ...secrets],
    ...(inputs.length === 0 ? {} : { inputs }),
  };
}

/** What the file of a definition says about the values that only the user can give. */
async function knownInputs(
  { config, source: { path, scope, dialect } }: Definition,
  { found: { context } }: Workspace,
): Promise<readonly JsonObject[]> {
  if (path === null || inputsOf(config, dialect).length === 0) return [];
  const document = await readConfigDocument(context, { path, project: scope === "project" });
  return document.state === "loaded" ? inputDefinitions(document.root) : [];
}
