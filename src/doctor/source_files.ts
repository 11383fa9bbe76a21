import type { SourceReport } from "../model/source.ts";
import { STOPS_UNTIL_THEN } from "../plan/hook_entries.ts";
import { APPROVE_HOOKS } from "../plan/hook_files.ts";
import { type Finding, NOWHERE } from "./finding.ts";

/**
 * Files that cannot be read or understood, and files and variables that look like configs and are
 * not read. The policy's file has a check of its own. Pure.
 */
export function sourceFileFindings(reports: readonly SourceReport[]): readonly Finding[] {
  const others = reports.filter(({ id }) => id !== "policy");
  return others.flatMap(({ path, state, error, warnings }): readonly Finding[] => {
    // A variable is reported by its bare name.
    const isFile = /[/\\]/.test(path);
    const place = { ...NOWHERE, path: isFile ? path : null };
    const finding = (
      severity: Finding["severity"],
      message: string,
      remedy: string,
    ): Finding => ({ check: "files", severity, ...place, message, remedy });
    const away = isFile ? "remove the file" : "unset the variable";
    const isInForce = !warnings.some((warning) => warning.endsWith(APPROVE_HOOKS));
    const odd = warnings.map((warning) => {
      if (state === "near-miss") {
        return finding("warning", warning, `Move its servers there, or ${away}`);
      }
      return warning.endsWith(APPROVE_HOOKS)
        ? finding("warning", `Hooks of the project: ${withoutAdvice(warning)}`, APPROVE_HOOKS)
        : finding(
          warning.endsWith(STOPS_UNTIL_THEN) && isInForce ? "error" : "info",
          warning,
          "Correct it in that file",
        );
    });
    if (error === null) {
      if (state !== "near-miss" || odd.length > 0) return odd;
      const what = isFile ? "this file" : `the variable "${path}"`;
      return [finding("warning", `Servers in ${what} are not read`, `Move them, or ${away}`)];
    }
    const broken = finding(
      state === "near-miss" ? "warning" : "error",
      error.message,
      error.hint ?? "Correct the file",
    );
    return [{ ...broken, line: lineIn(error.message) }, ...odd];
  });
}

/** A warning without the sentence at its end that says what to do. */
function withoutAdvice(warning: string): string {
  return warning.slice(0, -APPROVE_HOOKS.length).replace(/\.\s*$/, "");
}

/** The line that a message names, from 1; `null` when it names none. */
export function lineIn(message: string): number | null {
  const line = /\bline (\d+)\b/.exec(message)?.[1];
  return line === undefined ? null : Number(line);
}
