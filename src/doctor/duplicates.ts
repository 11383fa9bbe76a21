import { canonicalJson } from "../definitions/canonical_json.ts";
import type { ServerConfig } from "../model/definition.ts";
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
  const winners = new Map(
    subjects.filter(({ wins }) => wins).map((one) => [one.definition.name, one]),
  );
  return subjects.flatMap((one): readonly Finding[] => {
    const { definition, verdict, wins } = one;
    const place = placeOfDefinition(definition);
    if (verdict.state === "duplicate") {
      return [{
        check: "duplicates",
        severity: "warning",
        ...place,
        message: verdict.reason?.message ?? "The same connection stands under another name",
        remedy: verdict.reason?.hint ?? "Remove one of the two",
      }];
    }
    const winner = winners.get(definition.name);
    if (wins || winner === undefined || !isActive(one) || isSame(one, winner)) return [];
    return [{
      check: "duplicates",
      severity: "info",
      ...place,
      message: `This definition is another server than that of ${
        placeOf(winner.definition.source)
      }, which stands for the name`,
      remedy: `Make them the same, or rename one; to see why that one stands for the name: ` +
        `mcp explain ${shownName(definition.name)}`,
    }];
  });
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
