import type { Logger, LogLevel } from "../model/log.ts";

/** How grave each level is. */
const GRAVITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * A logger of JSON lines: `{"time":…,"level":…,"message":…,…fields}` with the time in UTC.
 * A field named like one of these three does not replace it. Never throws: what cannot be written
 * as JSON is left out, and a failing `write` is ignored.
 *
 * @param write Takes one line, without its line end.
 * @param level The least grave level that is written.
 * @param now The clock, in milliseconds since 1970.
 */
export function lineLogger(
  write: (line: string) => void,
  level: LogLevel,
  now: () => number = Date.now,
): Logger {
  return {
    log(grade, message, fields = {}): void {
      if (GRAVITY[grade] < GRAVITY[level]) return;
      const head = { time: new Date(now()).toISOString(), level: grade, message };
      try {
        write(jsonLine({ ...head, ...fields, ...head }) ?? JSON.stringify(head));
      } catch {
        // A log that cannot be written must not stop what it tells of.
      }
    },
  };
}

/** One line of JSON, or `null` for what JSON cannot carry. */
function jsonLine(value: Readonly<Record<string, unknown>>): string | null {
  try {
    return JSON.stringify(value, (_key, item: unknown) => {
      if (item instanceof Error) return { name: item.name, message: item.message };
      return typeof item === "bigint" ? String(item) : item;
    });
  } catch {
    return null;
  }
}
