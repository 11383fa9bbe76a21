import type { Definition } from "../model/definition.ts";
import { placeOf } from "./contenders.ts";
import type { JudgedDefinition } from "./judge.ts";

/**
 * The rule by which a definition stands for its name, or does not, in words.
 *
 * @param same All definitions of the name, strongest first.
 */
export function precedenceRule(
  one: JudgedDefinition,
  same: readonly JudgedDefinition[],
  wins: boolean,
): string {
  const winner = same.find(({ yields }) => yields === null) ?? same[0];
  const next = same.find((other) => other !== one && other.yields === null);
  if (wins) {
    if (same.length === 1) return "the only definition of the name";
    if (one.yields !== null) return "none of the name may run here; this is the strongest";
    return next === undefined
      ? "the only one of the name that may stand for it here"
      : before(one.definition, next.definition);
  }
  if (one.yields !== null && one.yields.state !== "run") {
    return `it is ${one.yields.state}, and what may not run takes no name from what may`;
  }
  return winner === undefined ? "" : `shadowed: ${before(winner.definition, one.definition)}`;
}

/** By which rule one definition is stronger than another. */
function before(stronger: Definition, weaker: Definition): string {
  const [a, b] = [stronger.source, weaker.source];
  if (a.scope !== b.scope) return `scope ${a.scope} comes before scope ${b.scope}`;
  if (a.rank !== b.rank) {
    return `within scope ${a.scope}, ${a.label} (${a.rank}) comes before ${b.label} (${b.rank})`;
  }
  return a.path === b.path
    ? `it stands first in ${placeOf(a)}`
    : `of equal scope and rank, ${placeOf(a)} is read before ${placeOf(b)}`;
}
