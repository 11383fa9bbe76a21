/** How grave a line is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where a component writes what a human may want to know later. Never throws. */
export interface Logger {
  /** Writes one line. `fields` must hold no secret. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Writes nothing. */
export const silentLogger: Logger = { log(): void {} };
