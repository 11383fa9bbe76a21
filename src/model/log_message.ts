import type { JsonValue } from "./json.ts";

/** How grave a server calls a line of its log, least first. */
export type LoggingLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

/** One line that a server wrote to its client's log (`notifications/message`). */
export interface LogMessage {
  /** Name of the server. */
  readonly server: string;
  /** How grave it is; `info` for a level that the protocol does not know. */
  readonly level: LoggingLevel;
  /** The text, or the JSON of what is no text; known secrets replaced, at most 8,192 characters. */
  readonly message: string;
  /** When it came: milliseconds since 1970. */
  readonly time: number;
  /** The part of the server that wrote it, if it says so. */
  readonly logger: string | null;
}

/** Every level, least first. */
export const LOGGING_LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** A level as received; `null` for anything that is none. */
export function loggingLevel(value: unknown): LoggingLevel | null {
  return LOGGING_LEVELS.find((known) => known === value) ?? null;
}

/** Most characters of {@linkcode LogMessage.message}. */
const LONGEST_MESSAGE = 8_192;

/** The line in the params of a log notification, whatever their shape. */
export function readLogMessage(
  server: string,
  params: Readonly<Record<string, JsonValue | undefined>>,
  time: number,
  mask: (text: string) => string,
): LogMessage {
  const { level, data, logger } = params;
  const text = typeof data === "string" ? data : JSON.stringify(data) ?? "";
  return {
    server,
    level: loggingLevel(level) ?? "info",
    message: mask(text).slice(0, LONGEST_MESSAGE),
    time,
    logger: typeof logger === "string" ? mask(logger).slice(0, LONGEST_MESSAGE) : null,
  };
}
