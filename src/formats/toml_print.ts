import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** A key as it is written: in quotes where it must be. */
export function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : basicString(key);
}

/** Keys with dots between them. */
export function printKeys(keys: readonly string[]): string {
  return keys.map(printKey).join(".");
}

/** A value on one line, as TOML 1.0 reads it. Throws a `TypeError` for null. */
export function printToml(value: JsonValue): string {
  if (typeof value === "string") return printString(value);
  if (typeof value === "number") return printNumber(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => printToml(item)).join(", ")}]`;
  }
  if (!isJsonObject(value)) throw new TypeError("TOML has no null");
  const entries = entriesOf(value).map(([key, item]) => `${printKey(key)} = ${printToml(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** The entries of an object. */
export function entriesOf(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).map(([key, item]) => [key, item ?? null]);
}

/**
 * A text in double quotes, or in single ones where that saves escaped backslashes (Windows paths)
 * or where `like`, the old value as written, has them.
 */
export function printString(value: string, like = ""): string {
  const literal = /^'(?!'')/.test(like) || value.includes("\\");
  return literal && /^[^'\p{Cc}\p{Cs}]*$/u.test(value) ? `'${value}'` : basicString(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

function basicString(value: string): string {
  const escaped = value.replaceAll(
    /["\\\p{Cc}\ufeff\u2028\u2029]/gu,
    (character) =>
      ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}

function printNumber(value: number): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return String(value);
}

/** Whether a value holds null on any level. */
export function holdsNull(value: JsonValue): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some((item) => holdsNull(item ?? null));
}
