import type { Definition } from "../model/definition.ts";
import type { Plan, PlannedServer } from "../model/plan.ts";
import type { SourceReport } from "../model/source.ts";
import { byPrecedence, type Contest, contests } from "./contenders.ts";
import { connectionKey, duplicateReason } from "./duplicate.ts";
import { missingNames } from "./enablement.ts";
import { exaKeys } from "./exa_filter.ts";
import { judge, type JudgedDefinition, type Rules } from "./judge.ts";
import type { DefinitionFacts } from "./plan_facts.ts";

/** Everything that a plan is made from. */
export interface PlanInput {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Path of the store file. */
  readonly store: string;
  /** Path of the workspace file. */
  readonly workspaceConfig: string;
  /** All definitions, in the order in which they were read. */
  readonly definitions: readonly Definition[];
  /** Facts of those that the screening did not decide. */
  readonly facts: ReadonlyMap<Definition, DefinitionFacts>;
  /** Switches and filters. */
  readonly rules: Rules;
  /** Every path that was looked at. */
  readonly sources: readonly SourceReport[];
}

/** A plan, and what goes with it. */
export interface PlanResult {
  /** One row a name, in order of precedence; names without a definition at the end. */
  readonly plan: Plan;
  /** Every definition with its own verdict, in order of precedence. Holds secrets. */
  readonly judged: readonly JudgedDefinition[];
  /** Keys of the Exa servers that were left out. Secret. */
  readonly exaApiKeys: readonly string[];
}

/** Decides which definition of each name may run, and why the others may not. Pure. */
export function makePlan(input: PlanInput): PlanResult {
  const { workspacePath, store, workspaceConfig, definitions, facts, rules, sources } = input;
  const judged = byPrecedence(definitions)
    .map((definition) => judge(definition, rules, facts.get(definition)));
  const missing = missingNames(rules.switches, new Set(definitions.map(({ name }) => name)));
  const servers: readonly PlannedServer[] = [
    ...withoutDuplicates(contests(judged)),
    ...missing.map(({ name, reason }): PlannedServer => ({
      name,
      definition: null,
      launch: null,
      verdict: { state: "missing", reason },
      workspace: "enabled",
      others: [],
      warnings: [],
    })),
  ];
  return {
    plan: { workspacePath, store, workspaceConfig, servers, sources },
    judged,
    exaApiKeys: filteredKeys(judged),
  };
}

/** The rows; of two that would be the same connection, only the first runs. */
function withoutDuplicates(decided: readonly Contest[]): readonly PlannedServer[] {
  const running = new Map<string, string>();
  return decided.map(({ name, winner, others }): PlannedServer => {
    const { definition, launch, verdict, workspace, warnings, decision } = winner;
    const row = { name, definition, launch, verdict, workspace, others, warnings };
    if (launch === null || decision === null) return row;
    const key = connectionKey(decision);
    const first = running.get(key);
    if (first === undefined) {
      running.set(key, name);
      return row;
    }
    const reason = duplicateReason(first);
    return { ...row, launch: null, verdict: { state: "duplicate", reason }, warnings: [] };
  });
}

/** Keys of what was left out as Exa's, from definitions that may be evaluated. */
function filteredKeys(judged: readonly JudgedDefinition[]): readonly string[] {
  const keys = judged.flatMap(({ exa, decision }) =>
    exa && decision !== null ? exaKeys(decision.expansion.config) : []
  );
  return [...new Set(keys)];
}
