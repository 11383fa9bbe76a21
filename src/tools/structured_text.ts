import type { JsonValue } from "../model/json.ts";

/** Leaves looked for at most; a bigger result counts as said only when a text is its JSON. */
const MAX_LEAVES = 1000;

/** Characters compared at most (leaves times length of the texts), so that it stays below 0.1 s. */
const MAX_WORK = 50_000_000;

/**
 * Tells whether the texts of a result already say what its structured result says: one of them is
 * its JSON, or every string and number in it stands in them word for word. A model then need not
 * read it twice. [E01] [E02]
 */
export function textSays(texts: readonly string[], value: JsonValue): boolean {
  if (texts.some((text) => isJsonOf(text, value))) return true;
  const leaves: (string | number)[] = [];
  if (!collectLeaves(value, leaves, 0)) return false;
  const whole = texts.join("\n");
  if (leaves.length === 0 || leaves.length * whole.length > MAX_WORK) return false;
  return leaves.every((leaf) =>
    typeof leaf === "string" ? whole.includes(leaf) : includesNumber(whole, leaf)
  );
}

/** A value as JSON; in words when it is nested too deep for that. Never throws. */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "[a value that is nested too deep to be shown]";
  }
}

/** Finds a number that stands alone: 3 is not said by 13 or 3.5. */
function includesNumber(text: string, value: number): boolean {
  const digits = String(value).replaceAll(/[.+]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\d.])${digits}(?!\.?\d)`).test(text);
}

function isJsonOf(text: string, value: JsonValue): boolean {
  const trimmed = text.trim();
  if (!/^[[{"\-0-9tfn]/.test(trimmed)) return false;
  try {
    return isSame(JSON.parse(trimmed) as JsonValue, value);
  } catch {
    return false;
  }
}

/** Deep equality of JSON values; the order of keys does not matter. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, JsonValue>>;
  const right = b as Readonly<Record<string, JsonValue>>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}

/** Collects strings and numbers; `false` when there are too many or they lie too deep. */
function collectLeaves(
  value: JsonValue | undefined,
  leaves: (string | number)[],
  depth: number,
): boolean {
  if (leaves.length > MAX_LEAVES || depth > 100) return false;
  if (typeof value === "string" || typeof value === "number") {
    if (value !== "") leaves.push(value);
    return true;
  }
  if (typeof value === "boolean") return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((child) => collectLeaves(child, leaves, depth + 1));
}
