/** How grave a line is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where a component writes what a human may want to know later. Never throws. */
export interface Logger {
  /** Writes one line. `fields` must hold no secret. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Writes nothing. */
export const silentLogger: Logger = { log(): void {} };

/** The log that a host gave, or none; what it throws is kept, as it must stop nothing. */
export function hostLogger(given: Logger | undefined): Logger {
  if (given === undefined) return silentLogger;
  return {
    log(level, message, fields): void {
      try {
        given.log(level, message, fields);
      } catch {
        // There is nowhere else to write it.
      }
    },
  };
}
