import type { Plan } from "../model/plan.ts";
import { painter } from "./colour.ts";
import { tableLines } from "./columns.ts";
import type { ListedEntry } from "./documents.ts";
import { shownDuration } from "./duration.ts";
import type { EntriesAnswer } from "./entries_answer.ts";
import { reportFailure } from "./run_action.ts";
import { shownLine } from "./shown.ts";
import { shownNames, unavailableLines } from "./server_answers.ts";
import { noServerLines, sourceNotes } from "./source_notes.ts";
import type { Output, Sink } from "./output.ts";

/** Columns of a line when it goes to no terminal. */
const DEFAULT_WIDTH = 160;

/** How much of a description is looked at: more than any line shows. */
const MAX_DESCRIPTION = 1_000;

/** One list as it is shown. */
export interface ShownList {
  /** Heading of the column with the keys. */
  readonly title: string;
  /** What one entry is called, and what several are. */
  readonly words: readonly [one: string, several: string];
  /** Its entries. */
  readonly entries: readonly ListedEntry[];
}

/** Lists as tables, cut to the terminal, then how many there are and what was only remembered. */
export function entriesLines(
  lists: readonly ShownList[],
  servers: EntriesAnswer["servers"],
  sink: Pick<Sink, "colour" | "columns">,
): readonly string[] {
  const tables = lists.filter(({ entries }) => entries.length > 0).flatMap((list) => [
    ...entriesTable(list, sink),
    "",
  ]);
  const counts = lists.map(({ entries: { length }, words: [one, several] }) =>
    `${length} ${length === 1 ? one : several}`
  );
  return [...tables, `${counts.join(", ")}${agesText(servers)}`];
}

/** Which servers' lists were only remembered, and how old the oldest of them is. */
function agesText(servers: EntriesAnswer["servers"]): string {
  const remembered = servers.filter(({ cachedAgeMs }) => cachedAgeMs !== null);
  if (remembered.length === 0) return "";
  const age = shownDuration(Math.max(...remembered.map(({ cachedAgeMs }) => cachedAgeMs ?? 0)));
  const upTo = remembered.length > 1 ? "up to " : "";
  return ` (${shownNames(remembered.map(({ name }) => name))}: read ${upTo}${age} ago)`;
}

/** One list. */
function entriesTable(
  { title, entries }: ShownList,
  { colour, columns }: Pick<Sink, "colour" | "columns">,
): readonly string[] {
  const paint = painter(colour);
  return tableLines(
    [
      { title: "SERVER", most: 40, least: 10 },
      { title, most: 80, least: 24 },
      { title: "DESCRIPTION", least: 16, spare: 1 },
    ],
    entries.map((entry) => [
      { text: shownLine(entry.server) },
      { text: shownLine(entry.key) },
      { text: shownLine(describe(entry)) },
    ]),
    { width: columns ?? DEFAULT_WIDTH, paintTitle: (text) => paint("bold", text) },
  );
}

/** Name and description; the name only when the key does not say it. */
function describe({ key, name, description }: ListedEntry): string {
  const text = description.slice(0, MAX_DESCRIPTION);
  if (name === "" || name === key) return text;
  return text === "" ? name : `${name}: ${text}`;
}

/** Prints lists for humans: the answer to stdout, what is odd to stderr. */
export function printEntries(
  { stdout }: Output,
  lists: readonly ShownList[],
  answer: EntriesAnswer,
  plan: Plan,
): void {
  const lines = plan.servers.length === 0
    ? noServerLines(plan, painter(stdout.colour))
    : entriesLines(lists, answer.servers, stdout);
  stdout.write(`${lines.join("\n")}\n`);
}

/** Prints what stderr says beside the lists. */
export function printRemarks(
  output: Output,
  answer: EntriesAnswer,
  options: { readonly plan: Plan; readonly home: string; readonly json: boolean },
): void {
  const { plan, home, json } = options;
  const paint = painter(output.stderr.colour);
  const remarks = [
    ...unavailableLines(answer.servers, paint),
    ...sourceNotes(plan, { home, paint }),
  ];
  if (remarks.length > 0) output.stderr.write(`${remarks.join("\n")}\n`);
  if (answer.error !== null && !json) reportFailure(output, answer.error, false);
}
