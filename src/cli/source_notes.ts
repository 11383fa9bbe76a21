import type { Plan } from "../model/plan.ts";
import type { SourceReport } from "../model/source.ts";
import type { Paint } from "./colour.ts";
import { errorLines } from "./error_text.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What the notes are written for. */
export interface SourceNoteOptions {
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Gives colour. */
  readonly paint: Paint;
}

/**
 * What the user must know of the files behind the rows: those that could not be read, those that
 * look like configs and are none, and what was odd in the others.
 */
export function sourceNotes(plan: Plan, options: SourceNoteOptions): readonly string[] {
  return plan.sources.flatMap((report) => reportLines(report, plan.workspacePath, options));
}

/** The notes of one path. */
function reportLines(
  report: SourceReport,
  workspacePath: string,
  { home, paint }: SourceNoteOptions,
): readonly string[] {
  const path = shownPath(report.path, workspacePath, home);
  const lines: string[] = [];
  if (report.state === "near-miss") {
    // Its warnings say that it is not read, and by which name.
    const reasons = report.error === null ? report.warnings : [report.error.message];
    for (const reason of reasons.length === 0 ? ["not read"] : reasons) {
      const said = shownLine(reason.replaceAll(`"${report.path}"`, () => `"${path}"`));
      lines.push(paint("yellow", `note: ${said.includes(`"${path}"`) ? "" : `${path}: `}${said}`));
    }
    const hint = report.error?.hint ?? null;
    if (hint !== null) lines.push(paint("yellow", `  hint: ${shownLine(hint)}`));
    if (report.error === null) return lines;
  } else if (report.error !== null) {
    lines.push(...errorLines(report.error, { prefix: `${path}: `, paint }));
  }
  for (const warning of report.warnings) {
    lines.push(paint("yellow", `warning: ${path}: ${shownLine(warning)}`));
  }
  return lines;
}

/** What to do when no file defines a server, or those that may cannot be used. */
export function noServerLines(plan: Plan, paint: Paint): readonly string[] {
  const broken = plan.sources.filter(({ state }) =>
    state === "malformed" || state === "unreadable"
  );
  if (broken.length > 0) {
    const files = broken.length === 1 ? "a file" : `${broken.length} files`;
    return [
      `No MCP server is known for this workspace: ${files} that may define some cannot be used.`,
      paint("yellow", `  hint: "mcp sources" tells what is wrong`),
    ];
  }
  const file = shownLine(`${plan.workspacePath.replace(/[/\\]+$/, "")}/.mcp.json`);
  const example = `{ "mcpServers": { "everything": { "command": "npx", ` +
    `"args": ["-y", "@modelcontextprotocol/server-everything"] } } }`;
  return [
    "No MCP server is defined for this workspace.",
    paint("yellow", `  hint: define one in ${file}, for example ${example}`),
    paint("yellow", `  hint: "mcp sources" lists every path that was looked at`),
  ];
}
