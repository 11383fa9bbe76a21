import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { PlannedServer } from "../model/plan.ts";
import { type SourceView, sourceView } from "../model/server_view.ts";
import { connectionKey } from "./duplicate.ts";
import { type ExplainedStep, explainedSteps } from "./explained_steps.ts";
import { type ExplainedLaunch, explainedLaunch } from "./explained_launch.ts";
import type { JudgedDefinition } from "./judge.ts";
import { makePlan } from "./make_plan.ts";
import { precedenceRule } from "./precedence_rule.ts";
import { type LoadOptions, type Survey, survey } from "./survey.ts";

/** One definition, and everything that was decided about it. Holds no secret. */
export interface ExplainedDefinition {
  /** Its name; a twin has another than was asked for. */
  readonly name: string;
  /** Where it stands. */
  readonly source: SourceView;
  /** Precedence within its scope; higher wins. */
  readonly rank: number;
  /** Whether it stands for its name. */
  readonly wins: boolean;
  /** The rule by which it stands for its name, or does not. */
  readonly rule: string;
  /** Each check in the order of judgement. */
  readonly steps: readonly ExplainedStep[];
  /** What it starts or reaches. */
  readonly launch: ExplainedLaunch;
  /** What its author should know. */
  readonly warnings: readonly string[];
}

/** Why a name runs here, or does not. */
export interface Explanation {
  /** The name. */
  readonly name: string;
  /** The plan's row. */
  readonly row: PlannedServer;
  /** Every definition of the name, strongest first. */
  readonly definitions: readonly ExplainedDefinition[];
  /** Definitions of other names that are the same connection. */
  readonly twins: readonly ExplainedDefinition[];
  /** Why it does not run, and what to do; `null` when it runs. */
  readonly next: ErrorInfo | null;
}

/** What was explained, and the names that there are. */
export interface Explained {
  /** What was found on the machine. */
  readonly found: Survey;
  /** All names, in plan order. */
  readonly names: readonly string[];
  /** The explanation; `null` when nothing is called so. */
  readonly explanation: Explanation | null;
}

/** Explains one name. Starts nothing, and evaluates nothing that is not approved. */
export async function explain(name: string, options: LoadOptions = {}): Promise<Explained> {
  const found = await survey({ ...options, lines: true });
  const { plan, judged } = makePlan(found.input);
  const names = plan.servers.map((server) => server.name);
  const row = plan.servers.find((server) => server.name === name);
  if (row === undefined) return { found, names, explanation: null };
  const own = judged.filter(({ definition }) => definition.name === name);
  const keys = new Set(own.flatMap(keyOf));
  const twins = judged.filter((one) =>
    one.definition.name !== name && keyOf(one).some((key) => keys.has(key))
  );
  const winners = new Set(plan.servers.flatMap(({ definition }) => definition ?? []));
  const show = (one: JudgedDefinition): ExplainedDefinition =>
    explained(one, winners, judged, found);
  return {
    found,
    names,
    explanation: {
      name,
      row,
      definitions: own.map(show),
      twins: twins.map(show),
      next: row.verdict.state === "run" ? null : row.verdict.reason,
    },
  };
}

/** The connection of a definition; none of one that may not be evaluated. */
function keyOf({ decision }: JudgedDefinition): readonly string[] {
  return decision === null ? [] : [connectionKey(decision)];
}

function explained(
  one: JudgedDefinition,
  winners: ReadonlySet<Definition>,
  judged: readonly JudgedDefinition[],
  found: Survey,
): ExplainedDefinition {
  const { definition, warnings } = one;
  const { name, source } = definition;
  const wins = winners.has(definition);
  const same = judged.filter((other) => other.definition.name === name);
  return {
    name,
    source: sourceView(source),
    rank: source.rank,
    wins,
    rule: precedenceRule(one, same, wins),
    steps: explainedSteps(one, found),
    launch: explainedLaunch(one, found),
    warnings: [...definition.warnings, ...warnings],
  };
}
