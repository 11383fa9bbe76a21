import type { PlannedServer } from "../model/plan.ts";
import type { SourceReport } from "../model/source.ts";
import { type Finding, NOWHERE, placeOfDefinition } from "./finding.ts";
import { lineIn } from "./source_files.ts";

/** What to do about a rule. */
const ASK = "Ask whoever manages this machine";

/**
 * What the machine's policy keeps from running: each server that a rule blocks, or once that the
 * policy cannot be used, under which nothing runs. Pure.
 */
export function policyFindings(
  rows: readonly PlannedServer[],
  reports: readonly SourceReport[],
): readonly Finding[] {
  const about = reports.filter(({ id }) => id === "policy");
  const unusable = about.flatMap(({ path, error }): readonly Finding[] =>
    error === null ? [] : [{
      check: "policy",
      severity: "error",
      ...NOWHERE,
      path,
      line: lineIn(error.message),
      message: error.message,
      remedy: error.hint ?? ASK,
    }]
  );
  const odd = about.flatMap(({ path, warnings }) =>
    warnings.map((message): Finding => ({
      check: "policy",
      severity: "info",
      ...NOWHERE,
      path,
      line: lineIn(message),
      message,
      remedy: `${ASK}, who may correct that file`,
    }))
  );
  // A policy that cannot be used blocks every row for the one reason that is told already.
  const blocked = unusable.length > 0 ? [] : rows.flatMap(blockedFinding);
  return [...unusable, ...odd, ...blocked];
}

function blockedFinding({ name, definition, verdict }: PlannedServer): readonly Finding[] {
  if (verdict.state !== "blocked") return [];
  return [{
    check: "policy",
    severity: "warning",
    ...(definition === null ? { ...NOWHERE, server: name } : placeOfDefinition(definition)),
    message: verdict.reason?.message ?? "Blocked by a policy",
    remedy: verdict.reason?.hint ?? ASK,
  }];
}
