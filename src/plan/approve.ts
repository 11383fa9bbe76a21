import { relative } from "node:path";
import { commandsOf, type ShellValue, variablesOf } from "../definitions/placeholders.ts";
import { shownCommandLine, shownUrl, shownValue } from "../definitions/secrets.ts";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { HotplugFolders } from "../model/machine.ts";
import type { SourceInfo } from "../model/source.ts";
import { placeholderFiles } from "./approval_digest.ts";
import { inWorkspace } from "./folder_trust.ts";
import { type PendingHooks, pendingHooks } from "./hook_approval.ts";
import { withApprovals, withHooks, withoutApprovals } from "./given_approvals.ts";
import type { JudgedDefinition } from "./judge.ts";
import { makePlan } from "./make_plan.ts";
import { workspaceFolder } from "./place_path.ts";
import { repositoryFiles } from "./repository_files.ts";
import { type LoadOptions, type Survey, survey } from "./survey.ts";
import { updateTrust, type WorkspaceTrust } from "./trust_store.ts";

/** What an approval would be of. */
export type ApprovalKind = "definition" | "enabling" | "folder";

/** One definition that waits for its user, and what it would do. Holds no secret. */
export interface PendingApproval {
  /**
   * - `definition`: the repository declares it
   * - `enabling`: it is the user's own, and only a workspace file enables it
   * - `folder`: it is the user's own and would run something of this folder
   */
  readonly kind: ApprovalKind;
  /** Name of the server. */
  readonly name: string;
  /** Where it is declared. */
  readonly source: SourceInfo;
  /** Why it waits, with the remedy. */
  readonly reason: ErrorInfo;
  /** Whether something else of this name was approved before. */
  readonly changed: boolean;
  /** Whether it can be approved; if not, `reason` says why. */
  readonly approvable: boolean;
  /** Its command line, or its address; secrets replaced. */
  readonly runs: string;
  /**
   * What else the repository's file steers it by, such as `env.NODE_OPTIONS=…` or `cwd=…`; secrets
   * replaced. Empty for what the user wrote down.
   */
  readonly settings: readonly string[];
  /** Files of the repository that it would run or read, relative to the workspace. */
  readonly repositoryFiles: readonly string[];
  /** Names of the environment variables that it reads. */
  readonly variables: readonly string[];
  /** Commands that it takes values from. */
  readonly commands: readonly ShellValue[];
  /** What the approval of a `definition` is bound to. */
  readonly digest: string | null;
}

/** What waits in a workspace. */
export interface PendingApprovals {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Hotplug's folders, as {@linkcode approve} takes them. */
  readonly folders: HotplugFolders;
  /** What is approved already. */
  readonly trust: WorkspaceTrust;
  /** All that waits, strongest definition first; also such as do not stand for their name. */
  readonly pending: readonly PendingApproval[];
  /** The hooks of the repository, when they wait; else `null`. */
  readonly hooks: PendingHooks | null;
}

/**
 * Lists what waits for its user in a workspace. Nothing of it is started or evaluated; `discover`
 * hooks that were approved are run.
 *
 * @throws {HotplugError} What a file of approvals that cannot be used throws at `approve`; here it
 * counts as empty.
 */
export async function pendingApprovals(
  options: Omit<LoadOptions, "trust"> = {},
): Promise<PendingApprovals> {
  const found = await survey({ lines: true, ...options, trust: "store" });
  const { judged } = makePlan(found.input);
  const waiting = judged.filter(({ verdict }) => verdict.state === "untrusted");
  const pending = waiting.map((one) => pendingOf(one, found));
  const { folders, trust, input } = found;
  const { workspacePath } = input;
  return { workspacePath, folders, trust, pending, hooks: pendingHooks(found) };
}

/** What was done with the approvals that were given. */
export interface ApprovalResult {
  /** Recorded. */
  readonly approved: readonly PendingApproval[];
  /** Not recorded, since they cannot be approved. */
  readonly refused: readonly PendingApproval[];
}

/**
 * Records approvals: of definitions exactly as they were listed, of enablings by name, of the folder
 * when one of them is about it or `folder` is `true`, and of `hooks` exactly as they were listed.
 *
 * @throws {HotplugError} `config-malformed` when the file of approvals cannot be used.
 */
export async function approve(
  folders: HotplugFolders,
  workspacePath: string,
  chosen: readonly PendingApproval[],
  options: {
    readonly folder?: boolean;
    readonly hooks?: PendingHooks | null;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<ApprovalResult> {
  const approved = chosen.filter(({ approvable }) => approvable);
  const refused = chosen.filter(({ approvable }) => !approvable);
  const folder = options.folder === true || approved.some(({ kind }) => kind === "folder");
  const { hooks = null } = options;
  if (approved.length > 0 || folder || hooks !== null) {
    await updateTrust(
      folders,
      workspacePath,
      (trust) => withHooks(withApprovals(trust, approved, folder), hooks),
      options,
    );
  }
  return { approved, refused };
}

/**
 * Withdraws approvals of a workspace: those of `names`, the folder's with `folder`, those of the
 * hooks with `hooks`; all when none of these is given.
 *
 * @throws {HotplugError} `config-malformed` when the file of approvals cannot be used.
 */
export async function withdraw(
  folders: HotplugFolders,
  workspacePath: string,
  options: {
    readonly names?: readonly string[];
    readonly folder?: boolean;
    readonly hooks?: boolean;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  await updateTrust(folders, workspacePath, (trust) => withoutApprovals(trust, options), options);
}

function pendingOf(one: JudgedDefinition, found: Survey): PendingApproval {
  const { definition, verdict } = one;
  const { name, config, source } = definition;
  const facts = found.input.facts.get(definition);
  const kind = kindOf(definition, one);
  const approval = facts?.approval ?? "never";
  const files = takenFiles(definition, found);
  return {
    kind,
    name,
    source,
    reason: verdict.state === "run" || verdict.reason === null ? UNKNOWN : verdict.reason,
    changed: approval === "changed",
    approvable: approval !== "unbound",
    runs: config.command === undefined ? shownUrl(config.url ?? "") : shownCommandLine(config),
    settings: kind === "definition" ? [...settingsOf(definition), ...files.settings] : [],
    repositoryFiles: [
      ...new Set([
        ...repositoryFiles(definition, found.machine, found.input.workspacePath),
        ...files.ofRepository,
      ]),
    ],
    variables: variablesOf(config, source.dialect),
    commands: commandsOf(config, source.dialect),
    digest: facts?.digest ?? null,
  };
}

/** The files whose content placeholders take, as settings and as files of the repository. */
function takenFiles(definition: Definition, { machine, input }: Survey): {
  readonly settings: readonly string[];
  readonly ofRepository: readonly string[];
} {
  const workspace = workspaceFolder(machine, input.workspacePath);
  const paths = placeholderFiles(definition, { machine, workspace });
  return {
    settings: paths.map((path) => `reads ${path}`),
    // By name alone: the disk is not touched for what is not approved.
    ofRepository: paths.filter((path) => inWorkspace({ path, real: path }, workspace))
      .map((path) => relative(input.workspacePath, path)),
  };
}

/** Everything beside program, arguments and address that decides what happens. */
function settingsOf({ config, source }: Definition): readonly string[] {
  const { cwd, envFile, env = {}, headers = {}, inheritEnv } = config;
  const printed = new Set(
    commandsOf(config, source.dialect).map(({ field, key }) => `${field}.${key}`),
  );
  const values = [
    ...Object.entries(env).map(([name, value]) => ["env", name, value] as const),
    ...Object.entries(headers).map(([name, value]) => ["headers", name, value] as const),
  ].filter(([field, name]) => !printed.has(`${field}.${name}`));
  return [
    ...(cwd === undefined ? [] : [`cwd=${shownValue("cwd", cwd)}`]),
    ...(envFile === undefined ? [] : [`envFile=${shownValue("envFile", envFile)}`]),
    ...values.map(([field, name, value]) =>
      `${field}.${name}${value === null ? " unset" : `=${shownValue(name, value)}`}`
    ),
    ...(inheritEnv === true ? ["inheritEnv: all of your environment"] : []),
    ...(typeof inheritEnv === "object" ? [`inheritEnv: ${inheritEnv.join(", ")}`] : []),
  ];
}

const UNKNOWN: ErrorInfo = {
  code: "server-not-runnable",
  message: "Waits for its approval",
  hint: null,
};

function kindOf(definition: Definition, one: JudgedDefinition): ApprovalKind {
  if (definition.source.scope === "project") return "definition";
  return (one.decision?.held.length ?? 0) > 0 && !one.needsRecord ? "folder" : "enabling";
}
