import { isOnInItsFile } from "../definitions/host_own.ts";
import type { Definition } from "../model/definition.ts";
import type { OtherDefinition } from "../model/plan.ts";
import { SCOPES, type SourceInfo } from "../model/source.ts";
import type { JudgedDefinition } from "./judge.ts";

/** A name, the definition that stands for it, and the others. */
export interface Contest {
  /** The name. */
  readonly name: string;
  /** The first that contends; when none does, the strongest, with its own verdict. */
  readonly winner: JudgedDefinition;
  /** All others of the name, strongest first. */
  readonly others: readonly OtherDefinition[];
}

/** Definitions in order of precedence: scope, then rank, then the order in which they stand. */
export function byPrecedence(definitions: readonly Definition[]): readonly Definition[] {
  // The sort is stable, which keeps the order of files and entries.
  return [...definitions].sort((one, other) =>
    SCOPES.indexOf(one.source.scope) - SCOPES.indexOf(other.source.scope) ||
    other.source.rank - one.source.rank
  );
}

/**
 * Decides each name: the first definition that contends wins it whole, also when it is off or
 * invalid. Names are in the order of their winners.
 *
 * @param judged In order of precedence.
 */
export function contests(judged: readonly JudgedDefinition[]): readonly Contest[] {
  const byName = new Map<string, JudgedDefinition[]>();
  for (const one of judged) {
    const { name } = one.definition;
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [one]);
    else same.push(one);
  }
  const decided = new Map<JudgedDefinition, Contest>();
  for (const [name, same] of byName) {
    const winner = same.find(({ yields }) => yields === null) ?? same[0];
    if (winner === undefined) continue;
    const others = same.filter((one) => one !== winner).map((one) => lost(one, winner));
    decided.set(winner, { name, winner, others });
  }
  return judged.flatMap((one) => decided.get(one) ?? []);
}

/** A definition that did not win, and what it lost to. */
function lost(one: JudgedDefinition, winner: JudgedDefinition): OtherDefinition {
  const { source } = one.definition;
  const { yields } = one;
  if (yields === null || yields.state === "run") {
    const of = placeOf(winner.definition.source);
    return { source, state: "shadowed", of, isOn: isOnInItsFile(one.definition) };
  }
  return { source, state: yields.state, of: yields.reason?.message ?? yields.state };
}

/** Where a definition stands, in words. */
export function placeOf(source: Pick<SourceInfo, "label" | "path" | "line">): string {
  const { label, path, line } = source;
  if (path === null) return label;
  return `${label} (${path}${line === null ? "" : `:${line}`})`;
}
