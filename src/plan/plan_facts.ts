import { resolve } from "node:path";
import { serverEnvironment } from "../definitions/environment.ts";
import { expandConfig, type Expansion, filesOf, readFiles } from "../definitions/placeholders.ts";
import { secretValues } from "../definitions/secrets.ts";
import type { Definition } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import { noteSecrets } from "../platform/looks.ts";
import { resolveProgram } from "../platform/program.ts";
import type { ReadFile } from "../sources/source.ts";
import {
  type Approval,
  approvalOf,
  askedOnce,
  enablingApproved,
  folderApproved,
  needsApproval,
  type TrustMode,
} from "./approval.ts";
import { approvalDigest, placeholderContext } from "./approval_digest.ts";
import {
  baseFolder,
  heldBy,
  isCheckout,
  launchFolder,
  namedPaths,
  type PlacedPath,
  type WorkspaceFolder,
} from "./folder_trust.ts";
import { placePath, workspaceFolder } from "./place_path.ts";
import type { WorkspaceTrust } from "./trust_store.ts";

/** What is known of one definition beyond its file. Holds secrets in `launch`. */
export interface DefinitionFacts {
  /** Whether it was approved. */
  readonly approval: Approval;
  /** What an approval would be bound to; `null` when none is needed or possible. */
  readonly digest: string | null;
  /** Whether this user enabled the name here. */
  readonly enabling: boolean;
  /** How it would start; `null` for what can never run, or may not be evaluated yet. */
  readonly launch: LaunchDecision | null;
}

/** A definition with its placeholders replaced, and the folder it would start in. */
export interface LaunchDecision {
  /** What replacing gave. */
  readonly expansion: Expansion;
  /** Whether nothing but values that only the user can give is missing. */
  readonly needsInput: boolean;
  /** Working folder of a stdio server, absolute; `null` for a remote one. */
  readonly cwd: string | null;
  /** What to say about the working folder. */
  readonly cwdWarning: string | null;
  /** Absolute path of its `envFile`; `null` without one. */
  readonly envFile: string | null;
  /** What of it lies in a workspace that is not approved, in words. */
  readonly held: readonly string[];
}

/** What facts are gathered from. */
export interface FactsInput {
  /** The machine. */
  readonly machine: Machine;
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Who approves. */
  readonly mode: TrustMode;
  /** What was approved. */
  readonly trust: WorkspaceTrust;
  /** Reads a file. */
  readonly readFile: ReadFile;
}

/** Gathers the facts of all definitions at the same time. Starts nothing. */
export async function gatherFacts(
  definitions: readonly Definition[],
  given: FactsInput,
): Promise<ReadonlyMap<Definition, DefinitionFacts>> {
  if (definitions.length === 0) return new Map();
  const input: FactsInput = { ...given, mode: askedOnce(given.mode) };
  const workspace = workspaceFolder(input.machine, input.workspacePath);
  const digests = await Promise.all(
    definitions.map((definition) =>
      needsApproval(definition) ? approvalDigest(definition, { ...input, workspace }) : null
    ),
  );
  // One after the other: a host's own function is asked in the order of the sources.
  const approvals = definitions.map((definition, index) => {
    const digest = digests[index] ?? null;
    return { definition, digest, approval: approvalOf(definition, { ...input, digest }) };
  });
  const folder = folderApproved(input, approvals.map(({ approval }) => approval));
  const mayLaunch = approvals.map(({ definition, approval }) =>
    definition.problems.length === 0 && (approval === "not-needed" || approval === "approved")
  );
  // Nothing that an unapproved definition names is opened.
  const files = await Promise.all(
    approvals.map(({ definition }, index) =>
      mayLaunch[index] === true ? filesFor(definition, input) : NO_FILES
    ),
  );
  const facts = approvals.map(({ definition, digest, approval }, index) => {
    const enabling = definition.source.store && enablingApproved(definition, input);
    const launch = mayLaunch[index] === true
      ? decideLaunch(definition, { ...input, files: files[index] ?? NO_FILES }, workspace, folder)
      : null;
    return [definition, { approval, digest, enabling, launch }] as const;
  });
  return new Map(facts);
}

/** What the files hold that placeholders name, by path; `null` for one that cannot be read. */
type Files = ReadonlyMap<string, string | null>;

const NO_FILES: Files = new Map();

/** Reads the files that placeholders of a definition name. */
async function filesFor(
  definition: Definition,
  { machine, workspacePath, readFile }: FactsInput,
): Promise<Files> {
  const { config } = definition;
  const context = placeholderContext(definition, machine, workspacePath);
  const files = await readFiles(config, context, readFile);
  // What a variable gave and is no file may be a secret.
  const literal = new Set(filesOf(config, { ...context, env: {} }));
  noteSecrets(
    [...files].filter(([path, text]) => text === null && !literal.has(path))
      .map(([path]) => path),
  );
  return files;
}

/** How an approved definition would start. `folder` is the folder's approval. */
function decideLaunch(
  definition: Definition,
  input: FactsInput & { readonly files: Files },
  workspace: WorkspaceFolder,
  folder: boolean,
): LaunchDecision {
  const { machine, workspacePath, files } = input;
  const { home } = machine;
  const { config, source } = definition;
  const base = baseFolder(source, { workspacePath, home });
  const context = placeholderContext(definition, machine, workspacePath);
  const expansion = expandConfig(config, { ...context, files });
  const { needsInput } = expansion;
  noteSecrets(expansion.secrets);
  const named = expansion.config.envFile ?? "";
  const envFile = named === "" ? null : resolve(base, named);
  // A host's own function may let one definition alone use the workspace.
  const approved = folder || (typeof input.mode === "function" && input.mode(definition));
  const free = approved || !isCheckout(workspace) || expansion.problems.length > 0;
  const taken = free ? [] : [...files.keys()].map(takenFile);
  if (config.command === undefined) {
    const held = heldBy(taken, workspace);
    return { expansion, needsInput, cwd: null, cwdWarning: null, envFile, held };
  }
  const { cwd, warning: cwdWarning } = launchFolder(expansion.config.cwd, {
    approved,
    base,
    workspacePath,
    home,
  });
  const decision = { expansion, needsInput, cwd, cwdWarning, envFile };
  const held = free
    ? []
    : heldParts(definition, expansion, { ...input, cwd, base, workspace, taken });
  return { ...decision, held };
}

/** A file whose content becomes part of a definition: like an `envFile`, it steers what happens. */
function takenFile(path: string): PlacedPath {
  return placePath({ what: "placeholder's file", path, folderIsData: false });
}

/** What of a definition lies in the workspace. */
function heldParts(
  definition: Definition,
  { config, secrets }: Expansion,
  facts: FactsInput & {
    readonly cwd: string;
    readonly base: string;
    readonly workspace: WorkspaceFolder;
    readonly taken: readonly PlacedPath[];
  },
): readonly string[] {
  const { machine, cwd, base, workspace, taken } = facts;
  const env = serverEnvironment(definition.source.environment, config, machine.env);
  const program = resolveProgram(config.command ?? "", { machine, env, cwd });
  const named = [...namedPaths(config, { cwd, base })];
  if (program.path !== null) {
    named.push({ what: "program", path: program.path, folderIsData: false });
  }
  const places = named.map(placePath);
  noteSecrets(secretValues(config, secrets));
  // What a variable gave and is no file may be a secret.
  const literal = new Set(namedPaths(definition.config, { cwd, base }).map(({ path }) => path));
  noteSecrets(
    places.filter(({ kind, path }) => kind === "absent" && !literal.has(path))
      .map(({ path }) => path),
  );
  return heldBy([...places, ...taken], workspace);
}
