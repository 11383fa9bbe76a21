import type { ServerState } from "../model/server_state.ts";
import type { ServerView, SourceView } from "../model/server_view.ts";
import type { Paint, Style } from "./colour.ts";
import { type Cell, type Column, tableLines } from "./columns.ts";
import { shownDuration } from "./duration.ts";
import { errorLines, withNextStep } from "./error_text.ts";
import { shownNames, warningLine } from "./server_answers.ts";
import { shownLine, shownPath } from "./shown.ts";
import type { TokenCosts } from "./token_costs.ts";

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
  /** Columns of the terminal; columns that do not fit are left out. Default: all are there. */
  readonly width?: number;
  /** What the tools of each server cost a model's context. Default: it is not shown. */
  readonly costs?: TokenCosts | null;
}

/** The columns up to the tools, in order. */
const FIRST_COLUMNS: readonly Column[] = [
  { title: "NAME", most: 40, least: 12 },
  { title: "TYPE", spare: 3 },
  { title: "STATE" },
  // Where there is no room, the state says it: `paused`, `disabled`.
  { title: "WORKSPACE", spare: 4 },
  { title: "PAUSED", spare: 5 },
  { title: "TOOLS", align: "right" },
];

const TOKENS: Column = { title: "TOKENS", align: "right" };

/** The others. */
const LAST_COLUMNS: readonly Column[] = [
  { title: "SOURCE", most: 60, least: 20, keep: "end", spare: 2 },
  { title: "TIME", spare: 1 },
];

/** How each state is painted; the others are dim. */
export const STATE_STYLES: Partial<Record<ServerState, Style>> = {
  "connected": "green",
  "error": "red",
  "missing": "red",
  "connecting": "cyan",
  "retrying": "cyan",
  "needs-auth": "yellow",
  "needs-input": "yellow",
  "untrusted": "yellow",
};

/**
 * The table: one line a row, with its error, hint and warnings indented below it. What several rows
 * warn of stands once, below all of them.
 */
export function statusTable(
  views: readonly ServerView[],
  options: StatusTableOptions,
): readonly string[] {
  const { paint, width, costs = null } = options;
  const rows = views.map((view) => cells(view, options));
  const columns = [...FIRST_COLUMNS, ...costs === null ? [] : [TOKENS], ...LAST_COLUMNS];
  const [heading = "", ...lines] = tableLines(columns, rows, {
    ...(width === undefined ? {} : { width }),
    paintTitle: (text) => paint("bold", text),
  });
  const shared = sharedWarnings(views);
  return [
    heading,
    ...lines.flatMap((line, index) => {
      const view = views[index];
      return view === undefined ? [line] : [line, ...detailLines(view, shared, options)];
    }),
    ...[...shared].map(([warning, names]) => paint("yellow", warningLine(warning, names))),
    ...repeatedNames(views, options),
  ];
}

/** Warnings that more than one row has, with the names of those rows. */
function sharedWarnings(views: readonly ServerView[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, warnings } of views) {
    for (const warning of new Set(warnings)) {
      names.set(warning, [...names.get(warning) ?? [], name]);
    }
  }
  return new Map([...names].filter(([, rows]) => rows.length > 1));
}

/** Says which names are defined more than once, where verbose rows do not show it. */
function repeatedNames(
  views: readonly ServerView[],
  { paint, verbose }: StatusTableOptions,
): readonly string[] {
  const names = views.filter(({ others }) => others.length > 0).map(({ name }) => name);
  if (verbose || names.length === 0) return [];
  return [
    paint("dim", `note: defined more than once: ${shownNames(names)} (--verbose shows where)`),
  ];
}

/** The cells of one row. */
function cells(view: ServerView, options: StatusTableOptions): readonly Cell[] {
  const style = STATE_STYLES[view.state] ?? "dim";
  const { costs = null } = options;
  return [
    { text: shownLine(view.name) },
    { text: view.transport ?? view.type ?? "-" },
    { text: view.state, paint: (text) => options.paint(style, text) },
    { text: view.workspace },
    { text: view.paused ? "yes" : "no" },
    { text: view.tools === null ? "-" : String(view.tools) },
    ...costs === null ? [] : [{ text: String(costs.servers.get(view.name) ?? "-") }],
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
function detailLines(
  view: ServerView,
  shared: ReadonlyMap<string, unknown>,
  options: StatusTableOptions,
): readonly string[] {
  const { paint, verbose } = options;
  const lines: string[] = [];
  if (view.error !== null) {
    const error = verbose ? view.error : withNextStep(view.error, view.name);
    lines.push(...errorLines(error, { indent: "  ", paint, verbose }));
  }
  for (const warning of view.warnings) {
    if (shared.has(warning)) continue;
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
