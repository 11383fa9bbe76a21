import type { HookEvent } from "../model/hook_program.ts";
import type { PendingApproval } from "../plan/approve.ts";
import type { PendingHooks } from "../plan/hook_approval.ts";
import { sourceView } from "../model/server_view.ts";
import type { Paint } from "./colour.ts";
import { shownLine, shownPath } from "./shown.ts";
import { shownSource } from "./status_table.ts";

/** What is asked, by the kind of approval. */
const KIND_WORDS: Readonly<Record<PendingApproval["kind"], string>> = {
  definition: "this project wants to run it",
  enabling: "this project wants to enable it",
  folder: "it would run or work in this folder",
};

/** What a user must see before an approval: what runs, from which files, with which values. */
export function approvalLines(
  pending: PendingApproval,
  options: { readonly workspacePath: string; readonly home: string; readonly paint: Paint },
): readonly string[] {
  const { paint } = options;
  const where = shownSource(sourceView(pending.source), options);
  const lines = [
    `${paint("bold", shownLine(pending.name))} (${KIND_WORDS[pending.kind]}; ${where})`,
    `  runs: ${shownLine(pending.runs)}`,
  ];
  for (const setting of pending.settings) lines.push(`  with: ${shownLine(setting)}`);
  if (pending.repositoryFiles.length > 0) {
    const files = pending.repositoryFiles.map(shownLine).join(", ");
    lines.push(`  from this repository: ${paint("yellow", files)}`);
  }
  if (pending.variables.length > 0) {
    lines.push(`  reads variables: ${pending.variables.map(shownLine).join(", ")}`);
  }
  for (const { field, key, command } of pending.commands) {
    lines.push(`  takes ${shownLine(`${field}.${key}`)} from: ${shownLine(command)}`);
  }
  if (pending.changed) {
    lines.push(`  ${paint("yellow", "it changed since you approved it")}`);
  }
  if (!pending.approvable) {
    lines.push(`  ${paint("red", shownLine(pending.reason.message))}`);
    if (pending.reason.hint !== null) {
      lines.push(`  ${paint("yellow", `hint: ${shownLine(pending.reason.hint)}`)}`);
    }
  }
  return lines;
}

/** What a user must see before an approval of a project's hooks: every program, and when it runs. */
export function hookLines(
  pending: PendingHooks,
  options: { readonly workspacePath: string; readonly home: string; readonly paint: Paint },
): readonly string[] {
  const { paint, workspacePath, home } = options;
  const path = shownPath(pending.path, workspacePath, home);
  const lines = [`${paint("bold", "hooks")} (this project wants to run them; ${path})`];
  for (const { event, runs, settings, repositoryFiles } of pending.hooks) {
    lines.push(`  ${EVENT_WORDS[event]}: ${shownLine(runs)}`);
    for (const setting of settings) lines.push(`    with: ${shownLine(setting)}`);
    if (repositoryFiles.length > 0) {
      const files = repositoryFiles.map(shownLine).join(", ");
      lines.push(`    from this repository: ${paint("yellow", files)}`);
    }
  }
  for (const warning of pending.warnings) {
    lines.push(`  ${paint("yellow", `warning: ${shownLine(warning)}`)}`);
  }
  if (pending.changed) {
    lines.push(`  ${paint("yellow", "they changed since you approved them")}`);
  }
  return lines;
}

/** When a program runs, and what it may do there. */
const EVENT_WORDS: Readonly<Record<HookEvent, string>> = {
  "discover": "discover (prints definitions of servers)",
  "tools-changed": "tools-changed",
  "server-state": "server-state",
  "before-connect": "before-connect (may stop servers)",
  "before-call": "before-call (sees, may change and stop calls)",
  "after-call": "after-call (sees calls)",
};
