import type { PlannedServer } from "../model/plan.ts";
import { remedyForMissing, shownName } from "../model/remedies.ts";
import { type Finding, NOWHERE, placeOfDefinition } from "./finding.ts";
import type { Subject } from "./subject.ts";

/** Entries that can never run as they are written, and what their authors should know. Pure. */
export function entryFindings({ definition, wins }: Subject): readonly Finding[] {
  const place = placeOfDefinition(definition);
  return [
    ...definition.problems.map(({ message, hint }): Finding => ({
      check: "entries",
      severity: wins ? "error" : "warning",
      ...place,
      message,
      remedy: hint ?? "Correct the entry in its file",
    })),
    ...definition.warnings.map((message): Finding => ({
      check: "entries",
      severity: "info",
      ...place,
      message,
      remedy: "Correct the entry in its file",
    })),
  ];
}

/**
 * Names that nothing defines, and those that wait for an approval: of these only the text was
 * looked at. Pure.
 */
export function rowFindings(rows: readonly PlannedServer[]): readonly Finding[] {
  return rows.flatMap(({ name, definition, verdict }): readonly Finding[] => {
    if (verdict.state === "run") return [];
    const { reason } = verdict;
    const place = definition === null
      ? { ...NOWHERE, server: name }
      : placeOfDefinition(definition);
    if (verdict.state === "missing") {
      return [{
        check: "entries",
        severity: "warning",
        ...place,
        message: reason?.message ?? "Nothing defines this name",
        remedy: reason?.hint ?? remedyForMissing(name),
      }];
    }
    if (verdict.state !== "untrusted") return [];
    return [{
      check: "entries",
      severity: "info",
      ...place,
      message: `Only its text was checked, as it waits for your approval${
        reason === null ? "" : `: ${reason.message}`
      }`,
      remedy: reason?.hint ?? `Look at it and approve it: mcp trust ${shownName(name)}`,
    }];
  });
}
