import { parseDuration } from "./duration.ts";

/** A day, in milliseconds. */
const DAY_MS = 86_400_000;

/** A moment given as one, or as a time before now. */
export type Since =
  | { readonly at: number }
  | { readonly ago: number };

/**
 * Reads what `--since` says: a duration before now (`10m`, `2h`, `3d`), or a moment as ISO 8601
 * (`2026-11-30`, `2026-11-30T12:00`, with a zone or in local time).
 * @throws {SyntaxError} When it is neither.
 */
export function parseSince(text: string): Since {
  const words = text.trim();
  const days = /^(\d{1,5}(?:\.\d+)?)\s*d$/i.exec(words);
  if (days !== null) return { ago: Math.round(Number(days[1]) * DAY_MS) };
  if (/^\d{4}-\d{2}-\d{2}/.test(words)) {
    // A date alone would be taken as UTC, where with a time it is local.
    const at = Date.parse(words.length === 10 ? `${words}T00:00` : words);
    if (!Number.isNaN(at)) return { at };
  } else if (/^\d+(?:\.\d+)?\s*[a-z]*$/i.test(words)) return { ago: parseDuration(words) };
  throw new SyntaxError(
    `"${text}" is no time; write it as 10m, 2h, 3d or 2026-11-30T12:00`,
  );
}

/** The moment that is meant, in milliseconds since 1970; without one all time. */
export function sinceMoment(since: Since | undefined, now: number): number {
  if (since === undefined) return -Infinity;
  return "at" in since ? since.at : now - since.ago;
}
