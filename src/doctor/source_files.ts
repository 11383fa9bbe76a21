import type { SourceReport } from "../model/source.ts";
import { type Finding, NOWHERE } from "./finding.ts";

/** Files that cannot be read or understood, and those that look like configs and are not read. Pure. */
export function sourceFileFindings(reports: readonly SourceReport[]): readonly Finding[] {
  return reports.flatMap(({ path, state, error, warnings }): readonly Finding[] => {
    const finding = (
      severity: Finding["severity"],
      message: string,
      remedy: string,
    ): Finding => ({ check: "files", severity, ...NOWHERE, path, message, remedy });
    const odd = warnings.map((warning) =>
      state === "near-miss"
        ? finding("warning", warning, "Move its servers there, or remove the file")
        : finding("info", warning, "Correct it in that file")
    );
    if (error === null) {
      return state === "near-miss" && odd.length === 0
        ? [finding("warning", "Servers in this file are not read", "Move them, or remove it")]
        : odd;
    }
    const line = /\bline (\d+)\b/.exec(error.message)?.[1];
    const broken = finding(
      state === "near-miss" ? "warning" : "error",
      error.message,
      error.hint ?? "Correct the file",
    );
    return [{ ...broken, line: line === undefined ? null : Number(line) }, ...odd];
  });
}
