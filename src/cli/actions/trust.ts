import { HotplugError, toHotplugError } from "../../model/errors.ts";
import { loadAllMCPConfigs, type LoadOptions } from "../../plan/discover.ts";
import { approve, type PendingApproval, pendingApprovals } from "../../plan/approve.ts";
import { projectHooksPath } from "../../plan/hook_files.ts";
import type { PendingHooks } from "../../plan/hook_approval.ts";
import { painter } from "../colour.ts";
import type { CliContext } from "../context.ts";
import type { TrustFlags } from "../flags.ts";
import { machineIn } from "../named_folders.ts";
import { SCHEMA_VERSION } from "../documents.ts";
import type { TrustDocument } from "../trust_documents.ts";
import { errorField, jsonText } from "../json_output.ts";
import { usageError } from "../run_action.ts";
import { chooseServers } from "../server_choice.ts";
import { shownLine } from "../shown.ts";
import { approvalLines, hookLines } from "../approval_text.ts";

/** Flags of `mcp trust`. */
export interface ApproveFlags extends TrustFlags {
  /** Approve without asking. */
  readonly yes?: boolean | undefined;
}

/** `mcp trust`: shows what waits for an approval, asks, records the answers. */
export async function trust(
  context: CliContext,
  flags: ApproveFlags,
  names: readonly string[],
): Promise<number> {
  const { output, signal } = context;
  const machine = await machineIn(context, flags.cwd);
  const {
    workspacePath,
    folders,
    trust: given,
    pending,
    hooks: waitingHooks,
  } = await pendingApprovals({ machine, signal });
  const isAll = names.length === 0 && flags.folder !== true && flags.hooks !== true;
  const hooks = isAll || flags.hooks === true ? waitingHooks : null;
  const waiting = !isAll && names.length === 0
    ? []
    : pending.filter(({ name }) => names.length === 0 || names.includes(name));
  if (flags.hooks === true && hooks === null) await requireReadableHooks({ machine, signal });
  const others = names.filter((name) => !waiting.some((one) => one.name === name));
  if (others.length > 0) {
    const loaded = await loadAllMCPConfigs({ machine, signal });
    chooseServers(loaded.plan, others);
  }
  const json = flags.json === true;
  if (!json) {
    const paint = painter(output.stdout.colour);
    const shown = { workspacePath, home: machine.home, paint };
    const lines = waiting.flatMap((one) => [...approvalLines(one, shown), ""]);
    if (hooks !== null) lines.push(...hookLines(hooks, shown), "");
    const isFirst = !given.folder && Object.keys(given.definitions).length === 0;
    if (isFirst && waiting.some(({ kind }) => kind === "definition")) {
      lines.push("With the first approval your own servers may work in this folder, too.", "");
    }
    if (flags.folder === true) lines.push(`folder ${shownLine(workspacePath)}`, "");
    for (const name of others) lines.push(`${shownLine(name)}: does not wait for an approval`);
    if (waiting.length + others.length === 0 && hooks === null && flags.folder !== true) {
      lines.push("Nothing waits for an approval here.");
    }
    output.stdout.write(`${lines.join("\n")}\n`);
  }
  const wanted = waiting.filter(({ approvable }) => approvable);
  const chosen = await choose(context, flags, { wanted, hooks, workspacePath });
  const { approved } = await approve(folders, workspacePath, chosen.approvals, {
    folder: chosen.folder,
    hooks: chosen.hooks,
    signal,
  });
  const left = waiting.filter((one) => !approved.includes(one));
  if (json) {
    const document: TrustDocument = {
      schemaVersion: SCHEMA_VERSION,
      workspacePath,
      folder: chosen.folder || approved.some(({ kind }) => kind === "folder"),
      approved,
      pending: left,
      ...(hooks === null ? {} : { hooks: { ...hooks, approved: chosen.hooks !== null } }),
      ...(chosen.error === null ? {} : { error: errorField(chosen.error) }),
    };
    output.stdout.write(jsonText(document));
  } else {
    for (const { name } of approved) output.stdout.write(`approved: ${shownLine(name)}\n`);
    if (chosen.folder) output.stdout.write(`approved: folder ${shownLine(workspacePath)}\n`);
    if (chosen.hooks !== null) output.stdout.write("approved: the project's hooks\n");
    if (chosen.error !== null) throw chosen.error;
  }
  if (chosen.error !== null) return chosen.error.exitCode;
  return left.length > 0 || hooks !== chosen.hooks ? 1 : 0;
}

/**
 * Checks that the project's hooks can be read, if there are any.
 * @throws {HotplugError} What is wrong with their file.
 */
async function requireReadableHooks(options: LoadOptions): Promise<void> {
  const { plan } = await loadAllMCPConfigs(options);
  const path = projectHooksPath(plan);
  const error = plan.sources.find((report) => report.path === path)?.error ?? null;
  if (error !== null) throw new HotplugError(error.code, error.message, { hint: error.hint });
}

/** What the user wants approved. */
interface Choice {
  readonly approvals: readonly PendingApproval[];
  readonly folder: boolean;
  /** The project's hooks; `null` when they are not wanted. */
  readonly hooks: PendingHooks | null;
  /** Why the user could not be asked, or did not answer. */
  readonly error: HotplugError | null;
}

/** Nothing is approved. */
const NOTHING = { approvals: [], folder: false, hooks: null } as const;

/** Asks for each approval; with `--yes` all are given, without a terminal none. */
async function choose(
  context: CliContext,
  flags: ApproveFlags,
  { wanted, hooks, workspacePath }: {
    readonly wanted: readonly PendingApproval[];
    readonly hooks: PendingHooks | null;
    readonly workspacePath: string;
  },
): Promise<Choice> {
  const folder = flags.folder === true;
  if (flags.yes === true) return { approvals: wanted, folder, hooks, error: null };
  if (wanted.length === 0 && hooks === null && !folder) return { ...NOTHING, error: null };
  if (flags.json === true || !context.canAsk()) {
    const error = usageError(
      "Cannot approve anything: there is no terminal to ask at",
      "Look at what would run, then run the same command with --yes",
    );
    return { ...NOTHING, error };
  }
  const approvals: PendingApproval[] = [];
  try {
    for (const one of wanted) {
      if (await yes(context, `Approve "${shownLine(one.name)}"?`)) approvals.push(one);
    }
    const isWanted = hooks !== null && await yes(context, "Approve the project's hooks?");
    const question = `Let servers work in "${shownLine(workspacePath)}"?`;
    return {
      approvals,
      hooks: isWanted ? hooks : null,
      folder: folder && await yes(context, question),
      error: null,
    };
  } catch (thrown) {
    // Interrupted: an unfinished review approves nothing.
    return { ...NOTHING, error: toHotplugError(thrown) };
  }
}

/** Asks a question to which only `y` or `yes` agrees. */
async function yes(context: CliContext, question: string): Promise<boolean> {
  const answer = await context.ask(`${question} [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}
