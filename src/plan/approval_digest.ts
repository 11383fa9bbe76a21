import { dirname, resolve } from "node:path";
import { hasOpenFile, takesFile } from "../definitions/placeholder_files.ts";
import {
  expandConfig,
  filesOf,
  inputsOf,
  type PlaceholderContext,
  variablesOf,
} from "../definitions/placeholders.ts";
import { trustDigest } from "../definitions/trust_digest.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import type { ReadFile } from "../sources/source.ts";
import { baseFolder, inWorkspace, type WorkspaceFolder } from "./folder_trust.ts";
import { realOf } from "./place_path.ts";

/** What a digest is made with. */
export interface DigestInput {
  /** The machine; its environment is not read. */
  readonly machine: Machine;
  /** The workspace. */
  readonly workspace: WorkspaceFolder;
  /** Reads the `envFile`, and the files that placeholders name. */
  readonly readFile: ReadFile;
}

/**
 * What an approval of a definition is bound to, or `null` when its `envFile`, or a file whose content
 * a placeholder takes, cannot be found without evaluating a variable or reading another file. Nothing
 * of the definition is evaluated: a path with a variable in it could carry a secret to a network
 * share by being opened alone.
 */
export async function approvalDigest(
  definition: Definition,
  input: DigestInput,
): Promise<string | null> {
  const { name, config, source: { dialect } } = definition;
  if (hasOpenFile(config, dialect)) return null;
  const fileTexts = await Promise.all(
    placeholderFiles(definition, input).map((path) => repositoryText(path, input)),
  );
  if (config.envFile === undefined || config.envFile === "") {
    return await trustDigest(name, config, dialect, null, fileTexts);
  }
  const only: ServerConfig = { envFile: config.envFile };
  const isOpen = variablesOf(only, dialect).length > 0 || inputsOf(only, dialect).length > 0 ||
    takesFile(only, dialect);
  if (isOpen) return null;
  const unevaluated = withoutVariables(definition, only, input);
  const text = await repositoryText(unevaluated.envFile ?? "", input);
  return await trustDigest(name, config, dialect, text, fileTexts);
}

/**
 * The files whose content placeholders of a definition take, absolute, as far as no variable
 * decides which they are.
 */
export function placeholderFiles(
  definition: Definition,
  { machine, workspace }: Pick<DigestInput, "machine" | "workspace">,
): readonly string[] {
  const context = placeholderContext(definition, machine, workspace.path);
  return filesOf(definition.config, { ...context, env: {} });
}

/**
 * A config in which only folder variables are replaced, as it may be looked at before its
 * approval. What reads a variable is left as the placeholder routine leaves it.
 */
export function withoutVariables(
  definition: Definition,
  config: ServerConfig,
  input: Pick<DigestInput, "machine" | "workspace">,
): ServerConfig {
  const { machine, workspace } = input;
  const context = placeholderContext(definition, machine, workspace.path);
  return expandConfig(config, { ...context, env: {} }).config;
}

/** What the placeholders of a definition are replaced from. */
export function placeholderContext(
  definition: Definition,
  machine: Machine,
  workspacePath: string,
): PlaceholderContext {
  const { source } = definition;
  return {
    dialect: source.dialect,
    env: machine.env,
    home: machine.home,
    workspacePath,
    configFolder: baseFolder(source, { workspacePath, home: machine.home }),
    fileFolder: source.path === null ? null : dirname(source.path),
    pathSeparator: machine.platform === "win32" ? "\\" : "/",
  };
}

/** The text of a repository's file. What lies elsewhere is the user's own and binds nothing. */
async function repositoryText(named: string, input: DigestInput): Promise<string | null> {
  const { machine, workspace, readFile } = input;
  // A share of another machine: even a look at it would log in there. Elsewhere two slashes are one.
  const isShare = machine.platform === "win32" && /^[/\\]{2}/.test(named);
  if (named === "" || isShare) return null;
  const path = resolve(workspace.path, named);
  if (!inWorkspace({ path, real: realOf(path) }, workspace)) return null;
  const file = await readFile(path);
  return file.state === "loaded" ? file.text : null;
}
