import { canonicalJson } from "../definitions/canonical_json.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { JsonValue } from "../model/json.ts";
import { shownName } from "../model/remedies.ts";
import { placeOf } from "../plan/contenders.ts";
import { connectionKey } from "../plan/duplicate.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import { isActive, type Subject } from "./subject.ts";

/**
 * The same connection under two names, and definitions of one name that are not the same: each
 * agent then starts another server under it. Pure.
 */
export function duplicateFindings(subjects: readonly Subject[]): readonly Finding[] {
  const twins = subjects.flatMap(({ definition, verdict }): readonly Finding[] =>
    verdict.state !== "duplicate" ? [] : [{
      check: "duplicates",
      severity: "warning",
      ...placeOfDefinition(definition),
      message: verdict.reason?.message ?? "The same connection stands under another name",
      remedy: verdict.reason?.hint ?? "Remove one of the two",
    }]
  );
  const beaten = Map.groupBy(
    subjects.filter(({ wins, verdict }) => !wins && verdict.state !== "duplicate"),
    ({ definition: { name } }) => name,
  );
  const differing = subjects.filter(({ wins }) => wins).flatMap((winner) => {
    const { definition } = winner;
    const others = (beaten.get(definition.name) ?? [])
      .filter((one) => isActive(one) && !isSame(one, winner));
    return others.length === 0 ? [] : [differingFinding(definition, others)];
  });
  return [...twins, ...differing];
}

/** Most places that are named in one sentence. */
const MOST_PLACES = 5;

/** That a name means other servers elsewhere: once a name, however many define it. */
function differingFinding(winner: Definition, others: readonly Subject[]): Finding {
  const places = [...new Set(others.map(({ definition: { source } }) => placeOf(source)))];
  const named = places.slice(0, MOST_PLACES);
  const rest = places.length - named.length;
  const list = rest > 0
    ? `${named.join(", ")} and ${rest} more`
    : [...named.slice(0, -2), named.slice(-2).join(" and ")].join(", ");
  const servers = places.length === 1
    ? "another server of this name is"
    : "other servers of this name are";
  return {
    check: "duplicates",
    severity: "info",
    ...placeOfDefinition(winner),
    message: `This definition stands for the name, and ${servers} defined in ${list}`,
    remedy: `Make them the same, or rename the others; to see why this one stands for the name: ` +
      `mcp explain ${shownName(winner.name)}`,
  };
}

/** Whether two definitions start or reach the same. */
function isSame(one: Subject, other: Subject): boolean {
  if (one.decision !== null && other.decision !== null) {
    return connectionKey(one.decision) === connectionKey(other.decision);
  }
  return written(one.definition.config) === written(other.definition.config);
}

/** What a definition starts or reaches, as it is written. Holds secrets; compared, never kept. */
function written({ command, args, env, cwd, url, headers, envFile }: ServerConfig): string {
  const parts: readonly (JsonValue | undefined)[] = [
    command,
    args ?? [],
    env ?? {},
    cwd,
    url,
    headers ?? {},
    envFile,
  ];
  return canonicalJson(parts.map((part) => part ?? null));
}
