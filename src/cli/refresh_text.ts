import type { RefreshReport, ReloadedServer } from "../model/session_view.ts";
import type { RefreshOutcome } from "../model/tool_set.ts";
import type { Paint, Style } from "./colour.ts";
import { type Cell, type Column, tableLines } from "./columns.ts";
import { errorLines, withNextStep } from "./error_text.ts";
import { shownLine } from "./shown.ts";
import { STATE_STYLES } from "./status_table.ts";

/** How many names of tools stand under a report. */
const NAMES_SHOWN = 20;

/** What the host made of the new tools, as the end of a sentence. */
const HOST_WORDS: Readonly<Record<RefreshOutcome, string>> = {
  "refreshed": "its host has them",
  "announced": "its host was told and takes them with its next request",
  "ignored": "its host keeps those of its start; a new session of it has the new ones",
  "failed": "its host could not take them and goes on with the old ones",
};

const COLUMNS: readonly Column[] = [
  { title: "SERVER", most: 40, least: 12 },
  { title: "ACTION" },
  { title: "STATE" },
  { title: "TOOLS", align: "right" },
];

/** What a report is drawn for. */
export interface RefreshTextOptions {
  /** Gives colour. */
  readonly paint: Paint;
  /** Columns of the terminal; `null` when it is none. */
  readonly width: number | null;
}

/** What a reload, pause, resume or retry led to: the tools, then every server, then what failed. */
export function refreshLines(
  report: RefreshReport,
  { paint, width }: RefreshTextOptions,
): readonly string[] {
  const { servers } = report;
  const rows = tableLines(COLUMNS, servers.map((server) => cells(server, paint)), {
    ...(width === null ? {} : { width: width - 2 }),
    paintTitle: (text) => paint("bold", text),
  });
  const table = rows.flatMap((line, index) => {
    const server = servers[index - 1];
    return [line, ...server === undefined ? [] : errorOf(server, paint)];
  });
  return [
    toolsLine(report, paint),
    ...nameLines(report, paint),
    ...(servers.length === 0 ? [] : table),
    ...furtherErrors(report).flatMap(({ path, error }) =>
      errorLines(error, {
        prefix: error.message.includes(path) ? "" : `${shownLine(path)}: `,
        paint,
      })
    ),
  ].map((line) => `  ${line}`);
}

/** What went wrong beside the servers that have a row. */
function furtherErrors({ servers, errors }: RefreshReport): RefreshReport["errors"] {
  const shown = new Set(servers.map(({ name }) => `mcp:${name}`));
  return errors.filter(({ path }) => !shown.has(path));
}

/** `tools: 12 → 14 (+3 -1 ~1); its host has them`. */
function toolsLine(report: RefreshReport, paint: Paint): string {
  const { before, after, added, removed, changed, host } = report;
  const counts = [["+", added], ["-", removed], ["~", changed]] as const;
  const parts = counts.flatMap(([sign, names]) => names.length > 0 ? `${sign}${names.length}` : []);
  if (parts.length === 0) return `tools: ${after}, as before`;
  const words = host === null ? "" : HOST_WORDS[host];
  const said = host === "failed" ? paint("red", words) : words;
  return `tools: ${before} → ${after} (${parts.join(" ")})${said === "" ? "" : `; ${said}`}`;
}

function nameLines({ added, removed, changed }: RefreshReport, paint: Paint): readonly string[] {
  const signed = (sign: string, style: Style, names: readonly string[]): readonly string[] =>
    names.map((name) => paint(style, `${sign} ${shownLine(name)}`));
  const lines = [
    ...signed("+", "green", added),
    ...signed("-", "red", removed),
    ...signed("~", "yellow", changed),
  ];
  const more = lines.length - NAMES_SHOWN;
  return more > 0
    ? [...lines.slice(0, NAMES_SHOWN), paint("dim", `… and ${more} more (--json names all)`)]
    : lines;
}

function cells({ name, action, state, tools }: ReloadedServer, paint: Paint): readonly Cell[] {
  return [
    { text: shownLine(name) },
    {
      text: action === "none" ? "-" : action,
      paint: (text) => action === "kept" ? paint("dim", text) : text,
    },
    { text: state, paint: (text) => paint(STATE_STYLES[state] ?? "dim", text) },
    { text: tools === null ? "-" : String(tools) },
  ];
}

function errorOf({ name, error }: ReloadedServer, paint: Paint): readonly string[] {
  if (error === null) return [];
  return errorLines(withNextStep(error, name), { indent: "  ", paint });
}

/**
 * The same for scripts, one line each: what became of the tools, each tool that is another one, each
 * server, each file that cannot be used.
 * @param session Id of the session; `-` for none.
 */
export function refreshPlain(report: RefreshReport, session: string): readonly string[] {
  const { before, after, host, added, removed, changed, servers } = report;
  const tools = (kind: string, names: readonly string[]): readonly string[] =>
    names.map((name) => `${kind} session=${session} tool=${plainWord(name)}`);
  return [
    `refreshed session=${session} before=${before} after=${after} host=${host ?? "-"}`,
    ...tools("added", added),
    ...tools("removed", removed),
    ...tools("changed", changed),
    ...servers.map(({ name, action, state, tools, error }) =>
      `${action} session=${session} server=${plainWord(name)} state=${state} ` +
      `tools=${tools ?? "-"}${error === null ? "" : ` error=${shownLine(error.message)}`}`
    ),
    ...furtherErrors(report).map(({ path, error }) =>
      `failed session=${session} path=${plainWord(path)} error=${shownLine(error.message)}`
    ),
  ];
}

/** A text as one word for scripts: with spaces it stands in double quotes. */
function plainWord(text: string): string {
  const line = shownLine(text);
  return /\s/.test(line) ? JSON.stringify(line) : line;
}
