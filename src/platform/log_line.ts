import type { LogLevel } from "../model/log.ts";
import type { LogLine, LogStream } from "../model/server_log.ts";

/** The longest message of a line, in characters: 8 Ki. A longer one is cut. */
export const LONGEST_MESSAGE: number = 8 * 1024;

/** The one form in which times are written, so that they are in order as texts. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const LEVELS: ReadonlySet<string> = new Set<LogLevel>(["debug", "info", "warn", "error"]);
const STREAMS: ReadonlySet<string> = new Set<LogStream>(["stderr", "server", "hotplug"]);

/** A line as it stands in a file, its line end included. */
export function lineText(line: LogLine): string {
  const { time, level, stream, pid, server, workspace } = line;
  const message = cutMessage(line.message);
  return `${JSON.stringify({ time, level, stream, pid, server, workspace, message })}\n`;
}

/** A message in the length that a line holds, with the number of characters that are missing. */
export function cutMessage(message: string): string {
  const more = message.length - LONGEST_MESSAGE;
  if (more <= 0) return message;
  return `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}… (${more} more characters)`;
}

/** The line that a text of a file holds; `null` for what is none, such as a torn one. */
export function parseLine(text: string): LogLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { time, level, stream, pid, server, workspace, message } = value as Record<string, unknown>;
  if (typeof time !== "string" || !TIME.test(time) || Number.isNaN(Date.parse(time))) return null;
  if (!isOneOf<LogLevel>(level, LEVELS) || !isOneOf<LogStream>(stream, STREAMS)) return null;
  if (typeof server !== "string" || typeof workspace !== "string") return null;
  if (typeof pid !== "number" || typeof message !== "string") return null;
  return { time, level, stream, pid, server, workspace, message };
}

function isOneOf<T extends string>(value: unknown, words: ReadonlySet<string>): value is T {
  return typeof value === "string" && words.has(value);
}
