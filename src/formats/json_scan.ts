/**
 * How deep objects and arrays may stand in each other. No config file comes near it, and what is
 * accepted can be walked by recursion without fear for the stack.
 */
export const MAX_DEPTH = 1_000;

/** What is said about a text that is nested deeper than {@linkcode MAX_DEPTH}. */
export const TOO_DEEP: string =
  `expected at most ${MAX_DEPTH} objects and arrays in each other, found more`;

/** What one pass over a strict JSON text finds. */
export interface JsonScan {
  /** How many keys stand in the text, repeated ones counted each time. */
  readonly keys: number;
  /** Offset of the first bracket that stands too deep; -1 when none does. */
  readonly tooDeepAt: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Counts keys and measures depth in a text that `JSON.parse` has accepted. Outside of strings
 * every colon belongs to a key there.
 */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let keys = 0;
  let depth = 0;
  let tooDeepAt = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === COLON) {
      keys++;
    } else if (unit === 0x7b || unit === 0x5b) {
      depth++;
      if (depth > maxDepth && tooDeepAt < 0) tooDeepAt = at;
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
    }
  }
  return { keys, tooDeepAt };
}

/** Offset of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before an offset. */
function isEscaped(text: string, offset: number): boolean {
  let at = offset - 1;
  while (text.charCodeAt(at) === BACKSLASH) at--;
  return (offset - 1 - at) % 2 === 1;
}

/** How many keys a parsed value holds on all its levels. */
export function countKeys(value: unknown): number {
  let keys = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const current = waiting.pop();
    if (typeof current !== "object" || current === null) continue;
    const items: readonly unknown[] = Object.values(current);
    if (!Array.isArray(current)) keys += items.length;
    for (const item of items) {
      if (typeof item === "object" && item !== null) waiting.push(item);
    }
  }
  return keys;
}
