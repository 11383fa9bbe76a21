import type { Plan } from "../model/plan.ts";
import type { SourceReport, SourceState } from "../model/source.ts";
import type { Paint, Style } from "./colour.ts";
import { tableLines } from "./columns.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What the list of paths is drawn for. */
export interface SourceLinesOptions {
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Gives colour. */
  readonly paint: Paint;
  /** Whether to list paths where nothing stands, too. */
  readonly all: boolean;
  /** Columns of the terminal; `null` when it is none: nothing is cut. */
  readonly width: number | null;
}

/** How each state is painted; the others are dim. */
const STYLES: Partial<Record<SourceState, Style>> = {
  "loaded": "green",
  "malformed": "red",
  "unreadable": "red",
  "near-miss": "yellow",
};

/** What was found; of a file whose format nobody confirmed it says so. */
function stateText({ state, confirmed }: SourceReport): string {
  return confirmed === false && state !== "absent" ? `${state} (format not confirmed)` : state;
}

/** Every path that was looked at, one line each, in the order of looking. */
export function sourceLines(plan: Plan, options: SourceLinesOptions): readonly string[] {
  const { home, paint, all, width } = options;
  const reports = all ? plan.sources : plan.sources.filter(({ state }) => state !== "absent");
  return tableLines(
    [
      { title: "SOURCE", least: 10 },
      { title: "SCOPE", spare: 1 },
      { title: "STATE" },
      { title: "SERVERS", align: "right", spare: 2 },
      { title: "PATH", least: 20, keep: "end" },
    ],
    reports.map((report) => [
      { text: shownLine(report.label) },
      { text: report.scope },
      {
        text: stateText(report),
        paint: (text: string): string => paint(STYLES[report.state] ?? "dim", text),
      },
      { text: report.state === "loaded" ? String(report.servers) : "-" },
      { text: shownPath(report.path, plan.workspacePath, home) },
    ]),
    { ...(width === null ? {} : { width }), paintTitle: (text) => paint("bold", text) },
  );
}
