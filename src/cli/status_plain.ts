import type { ServerView } from "../model/server_view.ts";
import { errorSummary } from "./error_text.ts";
import { shownLine } from "./shown.ts";
import type { TokenCosts } from "./token_costs.ts";

/**
 * Rows for scripts: `name type state workspace=… paused=… tools=…`, then `error=…` when there is
 * one, which runs to the end of the line; with costs `tokens=…` before it. A name with spaces stands in double quotes; what is not
 * known is `-`.
 */
export function statusPlain(
  views: readonly ServerView[],
  paths: { readonly store: string; readonly workspaceConfig: string },
  costs: TokenCosts | null = null,
): readonly string[] {
  return [...views.map((view) => plainRow(view, costs)), ...pathLines(paths)];
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
function plainRow(view: ServerView, costs: TokenCosts | null): string {
  const name = shownLine(view.name);
  const words = [
    /\s/.test(name) ? JSON.stringify(name) : name,
    view.transport ?? view.type ?? "-",
    view.state,
    `workspace=${view.workspace}`,
    `paused=${view.paused ? "yes" : "no"}`,
    `tools=${view.tools ?? "-"}`,
  ];
  if (costs !== null) words.push(`tokens=${costs.servers.get(view.name) ?? "-"}`);
  if (view.error !== null) words.push(`error=${errorSummary(view.error)}`);
  return words.join(" ");
}
