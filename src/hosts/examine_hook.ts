import type { HostProfile } from "../model/host_profile.ts";
import type { SourceContext } from "../sources/source.ts";
import type { HookFinding, OwnFinding } from "./host_kind.ts";
import { hostSwitches } from "./host_switch.ts";
import type { HookState } from "./inspect_hook.ts";
import type { ProgramAnswer } from "./program_version.ts";
import type { KnownHost } from "./registry.ts";

/** What a hook is examined with. */
export interface ExamineOptions {
  /** The machine, the workspace, and how files are read. */
  readonly context: SourceContext;
  /** Version of Hotplug that examines. */
  readonly version: string;
  /** Asks a command line what it is. */
  readonly ask: (program: readonly string[]) => Promise<ProgramAnswer>;
}

/**
 * Whether a host really loads its hook and sees other tools after a reload, and what to do where
 * it does not. Starts nothing but the program of the hook, for its version.
 */
export async function examineHook(
  { kind, profile }: KnownHost,
  state: HookState,
  options: ExamineOptions,
): Promise<readonly HookFinding[]> {
  const { context, version } = options;
  const command = `mcp hooks install ${kind.id}${state.scope === "project" ? " --project" : ""}`;
  // What the user changed is replaced by force alone.
  const install = state.isChanged ? `${command} --force` : command;
  const path = state.paths[0] ?? null;
  const found: OwnFinding[] = [];
  const add = (
    check: string,
    severity: OwnFinding["severity"],
    message: string,
    remedy: string,
  ): number => found.push({ check, severity, path, message, remedy });
  if (state.problem !== null) {
    add("hook-file", "error", state.problem, "Correct the file first");
  } else if (!state.isInstalled) {
    add("hook-file", "error", `${profile.label} has no hook`, `Run: ${install}`);
  }
  if (!state.isInstalled) return found.map((one) => ({ kind: kind.id, ...one }));
  if (state.isChanged) {
    add(
      "hook-file",
      "warning",
      "The hook was changed since it was written",
      `To have it as it was: ${install}`,
    );
  }
  if (state.version !== null && state.version !== version) {
    add(
      "hook-version",
      "warning",
      `The hook is of version ${state.version}, Hotplug of ${version}`,
      `Run: ${install}`,
    );
  }
  found.push(...await programFindings(state, options, install));
  found.push(...await hostSwitches(profile, context));
  found.push(...await kind.check?.(context, state.scope) ?? []);
  found.push(...refreshFindings(profile, kind.renew));
  return found.map((one) => ({ kind: kind.id, ...one }));
}

/** Whether the program of the hook runs, and is the one that examines. */
async function programFindings(
  { program, paths }: HookState,
  { ask, version }: ExamineOptions,
  install: string,
): Promise<readonly OwnFinding[]> {
  const path = paths[0] ?? null;
  const base = { check: "program", path, remedy: `Run: ${install}` } as const;
  if (program === null) {
    return [{
      ...base,
      severity: "warning",
      message: "The command line in the hook cannot be read",
    }];
  }
  const answer = await ask(program);
  if (answer.problem !== null) {
    const message = `The program of the hook cannot be used: ${answer.problem}`;
    return [{ ...base, severity: "error", message }];
  }
  if (answer.version === version) return [];
  const message = `The hook starts Hotplug ${answer.version}, and this is ${version}`;
  return [{ ...base, severity: "info", message }];
}

/** What becomes of a reload in the host. */
function refreshFindings(
  { label, refreshes, asksAgain }: HostProfile,
  renew = "Start a new session after a reload",
): readonly OwnFinding[] {
  if (!refreshes) {
    return [{
      check: "refresh",
      severity: "warning",
      path: null,
      message: `${label} keeps the tools of its start: after "mcp reload" its model sees the old ` +
        "ones, and calls of tools that are gone fail",
      remedy: renew,
    }];
  }
  if (asksAgain === "at-once") return [];
  return [{
    check: "refresh",
    severity: "info",
    path: null,
    message: `${label} takes other tools when it builds its next request`,
    remedy: 'Nothing to do; "mcp reload" says "announced" for it',
  }];
}
