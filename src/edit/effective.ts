import type { ErrorInfo } from "../model/errors.ts";
import type { PlanState } from "../model/plan.ts";
import { type SourceView, sourceView } from "../model/server_view.ts";
import { makePlan } from "../plan/make_plan.ts";
import { type LoadOptions, survey } from "../plan/survey.ts";

/** What stands for a name once an edit is done. */
export interface EffectiveServer {
  /** The name. */
  readonly name: string;
  /** The plan's verdict; `null` when nothing defines or names it any more. */
  readonly state: "run" | PlanState | null;
  /** Why it does not run, with the remedy. */
  readonly reason: ErrorInfo | null;
  /** The definition that stands for the name. */
  readonly source: SourceView | null;
  /** How many other definitions of the name there are. */
  readonly others: number;
}

/** What stands for each of the names now. Everything is read anew; nothing is started. */
export async function effectiveServers(
  names: readonly string[],
  options: LoadOptions,
): Promise<readonly EffectiveServer[]> {
  const { input } = await survey({ ...options, lines: true });
  const { plan: { servers } } = makePlan(input);
  return names.map((name) => {
    const row = servers.find((server) => server.name === name);
    if (row === undefined) return { name, state: null, reason: null, source: null, others: 0 };
    const { verdict, definition, others } = row;
    return {
      name,
      state: verdict.state,
      reason: verdict.state === "run" ? null : verdict.reason,
      source: definition === null ? null : sourceView(definition.source),
      others: others.length,
    };
  });
}
