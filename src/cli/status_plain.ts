import type { ServerView } from "../model/server_view.ts";
import { errorSummary } from "./error_text.ts";
import { shownLine } from "./shown.ts";

/**
 * Rows for scripts: `name type state workspace=… paused=… tools=…`, then `error=…` when there is
 * one, which runs to the end of the line. A name with spaces stands in double quotes; what is not
 * known is `-`.
 */
export function statusPlain(
  views: readonly ServerView[],
  paths: { readonly store: string; readonly workspaceConfig: string },
): readonly string[] {
  return [...views.map(plainRow), ...pathLines(paths)];
}

/** The two files that decide what runs here. */
export function pathLines(
  paths: { readonly store: string; readonly workspaceConfig: string },
): readonly string[] {
  return [
    `store=${shownLine(paths.store)}`,
    `workspaceConfig=${shownLine(paths.workspaceConfig)}`,
  ];
}

/** One row. */
function plainRow(view: ServerView): string {
  const name = shownLine(view.name);
  const words = [
    /\s/.test(name) ? JSON.stringify(name) : name,
    view.transport ?? view.type ?? "-",
    view.state,
    `workspace=${view.workspace}`,
    `paused=${view.paused ? "yes" : "no"}`,
    `tools=${view.tools ?? "-"}`,
  ];
  if (view.error !== null) words.push(`error=${errorSummary(view.error)}`);
  return words.join(" ");
}
