/** Milliseconds of each unit that a written duration may carry. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** The longest duration that a timer can hold, in milliseconds: 2^31 - 1, about 24.8 days. */
const LONGEST_MS = 2_147_483_647;

/**
 * Reads a duration such as `250ms`, `5s`, `1.5m`; a plain number means seconds.
 * @returns Milliseconds, a whole number of at least 0.
 * @throws {SyntaxError} When the text is no duration or too long for a timer.
 */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  const unit = match?.[2] === "" ? "s" : match?.[2];
  const factor = unit === undefined ? undefined : UNITS.get(unit);
  if (match === null || factor === undefined) {
    throw new SyntaxError(
      `"${text}" is no duration; write it as 250ms, 5s or 2m (a plain number means seconds)`,
    );
  }
  const milliseconds = Math.round(Number(match[1]) * factor);
  if (milliseconds > LONGEST_MS) throw new SyntaxError(`"${text}" is longer than 24 days`);
  return milliseconds;
}

/** A duration for a narrow column: `12ms`, `1.4s`, `2m05s`, `3h10m`, `2d4h`. */
export function shownDuration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < 1_000) return `${ms}ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return pair(seconds, 60, "m", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return pair(minutes, 60, "h", "m");
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d${hours % 24}h`;
}

/** Two adjacent units, the smaller one with two digits. */
function pair(amount: number, base: number, large: string, small: string): string {
  return `${Math.floor(amount / base)}${large}${String(amount % base).padStart(2, "0")}${small}`;
}
