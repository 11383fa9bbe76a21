import type { LogLevel } from "../model/log.ts";

/** How many characters of stderr are kept: 64 KiB. */
export const STDERR_RING_SIZE: number = 64 * 1024;

/** Keeps the last lines that a server wrote to stderr, in bounded memory. */
export class StderrRing {
  readonly #capacity: number;
  #lines: string[] = [];
  #first = 0;
  #size = 0;

  /** Makes an empty ring of `capacity` characters. */
  constructor(capacity: number = STDERR_RING_SIZE) {
    this.#capacity = capacity;
  }

  /** Adds a line; the oldest ones go when the ring is full. */
  add(line: string): void {
    this.#lines.push(line);
    this.#size += line.length + 1;
    while (this.#size > this.#capacity && this.#first < this.#lines.length - 1) {
      this.#size -= (this.#lines[this.#first] ?? "").length + 1;
      this.#first++;
    }
    if (this.#first > 1024 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The last lines, joined by `\n`: at most `count` of them and `maxLength` characters. */
  tail(count: number = 20, maxLength: number = 4000): string {
    const text = this.#lines.slice(Math.max(this.#first, this.#lines.length - count)).join("\n")
      .trimEnd();
    return text.length <= maxLength ? text : `…${text.slice(-maxLength)}`;
  }
}

const NAMED_LEVEL =
  /^[^a-z]{0,40}\[?(trace|debug|info|notice|warn|warning|error|fatal|critical|panic)\b|\b(?:level|severity|lvl)["']?\s*[=:]\s*["']?(trace|debug|info|notice|warn|warning|error|fatal|critical|panic)\b/i;

const LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ["trace", "debug"],
  ["debug", "debug"],
  ["info", "info"],
  ["notice", "info"],
  ["warn", "warn"],
  ["warning", "warn"],
  ["error", "error"],
  ["fatal", "error"],
  ["critical", "error"],
  ["panic", "error"],
]);

/**
 * How grave a line of stderr is: the level that it names itself, else `error` when it has that
 * word, else `info`.
 */
export function stderrLevel(line: string): LogLevel {
  const match = NAMED_LEVEL.exec(line.slice(0, 500));
  const named = (match?.[1] ?? match?.[2])?.toLowerCase();
  if (named !== undefined) return LEVELS.get(named) ?? "info";
  return /error/i.test(line) ? "error" : "info";
}
