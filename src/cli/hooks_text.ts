import type { Paint } from "./colour.ts";
import { tableLines } from "./columns.ts";
import type { ListedHook } from "./hooks_documents.ts";
import { shownLine, shownPath } from "./shown.ts";

/** What the list of hooks is drawn for. */
export interface HookLinesOptions {
  /** Whether to list hosts that are not in use here, too. */
  readonly all: boolean;
  /** Home folder; shown as `~`. */
  readonly home: string;
  /** Root of the workspace; paths below it are shown without it. */
  readonly workspacePath: string;
  /** Gives colour. */
  readonly paint: Paint;
  /** Columns of the terminal; `null` when it is none: nothing is cut. */
  readonly width: number | null;
  /** Version of Hotplug. */
  readonly version: string;
}

/** How a host's ways are called. */
const REFRESH: Readonly<Record<ListedHook["refresh"], string>> = {
  "at-once": "at once",
  "next-request": "next request",
  "never": "new session",
};

/** The hooks, one line each: those that are there, and the usual one of each host that could have. */
export function hookLines(
  rows: readonly ListedHook[],
  options: HookLinesOptions,
): readonly string[] {
  const { all, home, workspacePath, paint, width, version } = options;
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const shown = kinds.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    const there = own.filter(({ installed, problem }) => installed || problem !== null);
    if (there.length > 0) return there;
    // The module is for agents that are not known here.
    return own.filter(({ found }) => all || found || kind === "module").slice(0, 1);
  });
  const table = tableLines(
    [
      { title: "HOST", least: 10 },
      { title: "IN USE", spare: 2 },
      { title: "HOOK" },
      { title: "VERSION", spare: 1 },
      { title: "SCOPE", spare: 3 },
      { title: "NEW TOOLS" },
      { title: "PATH", least: 16, keep: "end", spare: 0 },
    ],
    shown.map((row) => [
      { text: row.kind },
      { text: row.found ? "yes" : "-" },
      {
        text: stateText(row, version),
        paint: (text: string): string => paint(row.installed ? "green" : "dim", text),
      },
      { text: shownLine(row.version ?? "-") },
      { text: row.scope },
      { text: REFRESH[row.refresh] },
      { text: row.paths[0] === undefined ? "-" : shownPath(row.paths[0], workspacePath, home) },
    ]),
    { ...(width === null ? {} : { width }), paintTitle: (text) => paint("bold", text) },
  );
  const problems = shown.filter(({ problem }) => problem !== null)
    .map(({ kind, problem }) => paint("yellow", `${kind}: ${shownLine(problem ?? "")}`));
  const hidden = kinds.length - new Set(shown.map(({ kind }) => kind)).size;
  const more = hidden === 0 ? [] : [`${hidden} more hosts: mcp hooks --all`];
  const installed = shown.some((row) => row.installed);
  const next = installed
    ? "To see whether a host really loads its hook: mcp hooks doctor"
    : "To give a host your tools: mcp hooks install <host>";
  return [...table, ...problems, "", ...more, next];
}

function stateText({ installed, changed, version, problem }: ListedHook, own: string): string {
  if (problem !== null) return "unreadable";
  if (!installed) return "-";
  if (changed) return "changed";
  return version !== null && version !== own ? "outdated" : "installed";
}
