import type { ExplainedDefinition, Explanation } from "../plan/explain.ts";
import { placeOf } from "../plan/contenders.ts";
import type { Paint } from "./colour.ts";
import { errorLines } from "./error_text.ts";
import { shownLine } from "./shown.ts";

/** How each result of a check is marked. */
const MARKS = { passed: "ok  ", failed: "FAIL", skipped: "-   " } as const;

/** An explanation as lines. */
export function explanationLines(explanation: Explanation, paint: Paint): readonly string[] {
  const { name, row, definitions, twins, next } = explanation;
  const runs = row.verdict.state === "run";
  const lines = [
    `${paint("bold", shownLine(name))}: ${
      runs ? paint("green", "runs here") : paint("yellow", row.verdict.state)
    }`,
  ];
  if (next !== null) lines.push(...errorLines(next, { paint, indent: "  " }));
  for (const one of definitions) lines.push("", ...definitionLines(one, paint));
  if (twins.length > 0) lines.push("", paint("bold", "The same connection under other names"));
  for (const one of twins) lines.push("", ...definitionLines(one, paint));
  if (definitions.length === 0) lines.push("", "  nothing defines it");
  return lines;
}

/** One definition: where it stands, by which rule, each check, what it starts. */
function definitionLines(one: ExplainedDefinition, paint: Paint): readonly string[] {
  const { source, wins, rule, steps, launch, warnings, rank } = one;
  const mark = wins ? paint("green", "*") : " ";
  const lines = [
    `${mark} ${shownLine(one.name)} from ${shownLine(placeOf(source))}`,
    `    scope ${source.scope}, rank ${rank}; ${
      wins ? "stands for the name" : "does not stand for the name"
    }: ${shownLine(rule)}`,
  ];
  for (const { check, result, detail } of steps) {
    const text = `    ${MARKS[result]} ${check}${detail === null ? "" : `: ${shownLine(detail)}`}`;
    lines.push(
      result === "failed" ? paint("red", text) : result === "passed" ? text : paint("dim", text),
    );
  }
  if (launch.written !== "") lines.push(`    written  ${shownLine(launch.written)}`);
  if (launch.expanded !== null && launch.expanded !== launch.written) {
    lines.push(`    expanded ${shownLine(launch.expanded)}`);
  }
  const facts: readonly (readonly [string, string])[] = [
    ["in", launch.cwd ?? ""],
    ["env", launch.env.join(", ")],
    ["headers", launch.headers.join(", ")],
    ["inherits", launch.inherits ?? ""],
    ["reads", launch.reads.join(", ")],
  ];
  for (const [label, text] of facts) {
    if (text !== "") lines.push(`    ${label.padEnd(8)} ${shownLine(text)}`);
  }
  for (const warning of warnings) lines.push(paint("yellow", `    warning: ${shownLine(warning)}`));
  return lines;
}
