import type { Plan } from "../model/plan.ts";
import type { SourceState } from "../model/source.ts";
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
}

/** How each state is painted; the others are dim. */
const STYLES: Partial<Record<SourceState, Style>> = {
  "loaded": "green",
  "malformed": "red",
  "unreadable": "red",
  "near-miss": "yellow",
};

/** Every path that was looked at, one line each, in the order of looking. */
export function sourceLines(plan: Plan, options: SourceLinesOptions): readonly string[] {
  const { home, paint, all } = options;
  const reports = all ? plan.sources : plan.sources.filter(({ state }) => state !== "absent");
  return tableLines(
    [
      { title: "SOURCE" },
      { title: "SCOPE" },
      { title: "STATE" },
      { title: "SERVERS", align: "right" },
      { title: "PATH" },
    ],
    reports.map((report) => [
      { text: shownLine(report.label) },
      { text: report.scope },
      {
        text: report.state,
        paint: (text: string): string => paint(STYLES[report.state] ?? "dim", text),
      },
      { text: report.state === "loaded" ? String(report.servers) : "-" },
      { text: shownPath(report.path, plan.workspacePath, home) },
    ]),
    { paintTitle: (text) => paint("bold", text) },
  );
}
