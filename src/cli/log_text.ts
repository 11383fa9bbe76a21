import type { LogLevel } from "../model/log.ts";
import type { LogLine } from "../model/server_log.ts";
import type { Paint, Style } from "./colour.ts";
import { shownLine } from "./shown.ts";

/** How grave each level is. */
const GRAVITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** The levels, the least grave first. */
export const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The colour of each level; `null` for none. */
const STYLES: Readonly<Record<LogLevel, Style | null>> = {
  debug: "dim",
  info: null,
  warn: "yellow",
  error: "red",
};

/** Which lines are shown. */
export interface LogChoice {
  /** Names of servers; all when empty. */
  readonly servers: readonly string[];
  /** The earliest moment, in milliseconds since 1970. */
  readonly since: number;
  /** The least grave level. */
  readonly level: LogLevel;
}

/** The lines that were asked for. */
export function chosenLines(lines: readonly LogLine[], choice: LogChoice): readonly LogLine[] {
  return lines.filter(({ server, time, level }) =>
    (choice.servers.length === 0 || choice.servers.includes(server)) &&
    Date.parse(time) >= choice.since && GRAVITY[level] >= GRAVITY[choice.level]
  );
}

/** A line for the terminal: time, level, server, who wrote it if not its stderr, text. */
export function logText(line: LogLine, paint: Paint): string {
  const { time, level, stream, server, message } = line;
  const style = STYLES[level];
  const painted = (text: string): string => style === null ? text : paint(style, text);
  const from = stream === "stderr" ? "" : paint("dim", `(${stream}) `);
  return [
    paint("dim", shownLine(time)),
    painted(level.padEnd(5)),
    paint("cyan", shownLine(server)),
    from + painted(shownLine(withoutStyles(message))),
  ].join(" ");
}

/** A text without the style sequences that servers colour their logs with; they mean nothing here. */
function withoutStyles(text: string): string {
  // deno-lint-ignore no-control-regex -- escape sequences are what is looked for
  return text.replace(/\x1b\[[\d;]*m/g, "");
}
