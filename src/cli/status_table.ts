import type { ServerState } from "../model/server_state.ts";
import type { ServerView, SourceView } from "../model/server_view.ts";
import type { Paint, Style } from "./colour.ts";
import { type Cell, type Column, tableLines } from "./columns.ts";
import { shownDuration } from "./duration.ts";
import { errorLines } from "./error_text.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What the table is drawn for. */
export interface StatusTableOptions {
  /** Root of the workspace; paths in it are shown relative to it. */
  readonly workspacePath: string;
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Gives colour. */
  readonly paint: Paint;
  /** Whether to show causes and the other definitions of a name. */
  readonly verbose: boolean;
  /** Columns of the terminal, to which table lines are cut. Default: not cut. */
  readonly width?: number;
}

/** The columns, in order. */
const COLUMNS: readonly Column[] = [
  { title: "NAME", most: 40 },
  { title: "TYPE" },
  { title: "STATE" },
  { title: "WORKSPACE" },
  { title: "PAUSED" },
  { title: "TOOLS", align: "right" },
  { title: "SOURCE", most: 60 },
  { title: "TIME" },
];

/** How each state is painted; the others are dim. */
const STATE_STYLES: Partial<Record<ServerState, Style>> = {
  "connected": "green",
  "error": "red",
  "missing": "red",
  "connecting": "cyan",
  "retrying": "cyan",
  "needs-auth": "yellow",
  "needs-input": "yellow",
  "untrusted": "yellow",
};

/** The table: one line a row, with its error, hint and warnings indented below it. */
export function statusTable(
  views: readonly ServerView[],
  options: StatusTableOptions,
): readonly string[] {
  const { paint, width } = options;
  const rows = views.map((view) => cells(view, options));
  const [heading = "", ...lines] = tableLines(COLUMNS, rows, {
    ...(width === undefined ? {} : { width }),
    paintTitle: (text) => paint("bold", text),
  });
  return [
    heading,
    ...lines.flatMap((line, index) => {
      const view = views[index];
      return view === undefined ? [line] : [line, ...detailLines(view, options)];
    }),
  ];
}

/** The cells of one row. */
function cells(view: ServerView, options: StatusTableOptions): readonly Cell[] {
  const style = STATE_STYLES[view.state] ?? "dim";
  return [
    { text: shownLine(view.name) },
    { text: view.transport ?? view.type ?? "-" },
    { text: view.state, paint: (text) => options.paint(style, text) },
    { text: view.workspace },
    { text: view.paused ? "yes" : "no" },
    { text: view.tools === null ? "-" : String(view.tools) },
    { text: view.source === null ? "-" : shownSource(view.source, options) },
    { text: timeCell(view), paint: (text) => options.paint("dim", text) },
  ];
}

/** Where a definition stands: its file and line, else the source's name. */
export function shownSource(
  source: SourceView,
  options: { readonly workspacePath: string; readonly home: string },
): string {
  if (source.path === null) return shownLine(source.label);
  const path = shownPath(source.path, options.workspacePath, options.home);
  return source.line === null ? path : `${path}:${source.line}`;
}

/** How long the start took, or how old the counts are. */
function timeCell(view: ServerView): string {
  if (view.cachedAgeMs !== null) return `cached ${shownDuration(view.cachedAgeMs)} ago`;
  return view.elapsedMs === null ? "" : shownDuration(view.elapsedMs);
}

/** What stands below a row. */
function detailLines(view: ServerView, options: StatusTableOptions): readonly string[] {
  const { paint, verbose } = options;
  const lines: string[] = [];
  if (view.error !== null) lines.push(...errorLines(view.error, { indent: "  ", paint, verbose }));
  for (const warning of warningsOf(view)) {
    lines.push(`  ${paint("yellow", `warning: ${shownLine(warning)}`)}`);
  }
  if (verbose) {
    for (const other of view.others) {
      const where = shownSource(other.source, options);
      lines.push(`  ${paint("dim", `${other.state}: ${where} (${shownLine(other.of)})`)}`);
    }
  }
  return lines;
}

/** The row's warnings; a connected server that offers nothing is one more. */
export function warningsOf(view: ServerView): readonly string[] {
  return view.state === "connected" && view.tools === 0 && (view.resources ?? 0) === 0 &&
      (view.prompts ?? 0) === 0
    ? [...view.warnings, "connected, but it offers no tool"]
    : view.warnings;
}
