import { closest } from "../definitions/suggestion.ts";
import type { Definition } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import type { PlannedServer } from "../model/plan.ts";
import { makePlan } from "../plan/make_plan.ts";
import { type LoadOptions, type Survey, survey } from "../plan/survey.ts";

/** A workspace before an edit. */
export interface Workspace {
  /** What was found. */
  readonly found: Survey;
  /** The rows of its plan. */
  readonly rows: readonly PlannedServer[];
  /** Every definition, strongest first. */
  readonly definitions: readonly Definition[];
}

/** Reads all that an edit is decided by. Starts nothing. */
export async function readWorkspace(options: LoadOptions): Promise<Workspace> {
  const found = await survey({ ...options, lines: true });
  const { plan: { servers }, judged } = makePlan(found.input);
  return { found, rows: servers, definitions: judged.map(({ definition }) => definition) };
}

/**
 * The row of a name.
 *
 * @throws {HotplugError} `unknown-server` with the nearest name.
 */
export function rowNamed(workspace: Workspace, name: string): PlannedServer {
  const row = workspace.rows.find((server) => server.name === name);
  if (row !== undefined) return row;
  const names = workspace.rows.map((server) => server.name);
  const near = closest(name, names);
  throw new HotplugError("unknown-server", `Unknown server ${JSON.stringify(name)}`, {
    hint: near === null ? `To see what there is: mcp status` : `Did you mean "${near}"?`,
    details: near === null ? {} : { suggestion: near },
  });
}
