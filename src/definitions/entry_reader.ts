import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";

/** What a field reader found: a value, nothing, or a fault that was noted already. */
export type Reading<Value> = Value | undefined;

/**
 * Collects what is wrong with one entry while its fields are read, and knows how each kind of value
 * is written in the wild. No reader ever throws or quotes a value that may be a secret.
 */
export class EntryReader {
  /** Why the entry can never run. */
  readonly problems: ErrorInfo[] = [];
  /** What its author should know though it runs. */
  readonly warnings: string[] = [];

  /** Notes why the entry can never run. */
  problem(message: string, hint: string | null = null): void {
    this.problems.push({ code: "config-invalid", message, hint });
  }

  /** Notes what the author should know. */
  warn(message: string): void {
    this.warnings.push(message);
  }

  /** Text without outer white space; blank is absent, any other kind a problem. */
  text(key: string, value: JsonValue | undefined): Reading<string> {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") {
      this.problem(`Cannot use "${key}": it must be a string, not ${kindOf(value)}`);
      return undefined;
    }
    const trimmed = value.trim();
    return trimmed === "" ? undefined : trimmed;
  }

  /** A boolean, also as the words and digits that people write for it; anything else is ignored. */
  flag(key: string, value: JsonValue | undefined): Reading<boolean> {
    if (value === undefined || value === null || typeof value === "boolean") {
      return value ?? undefined;
    }
    const read = FLAG_WORDS.get(
      typeof value === "object" ? "" : String(value).trim().toLowerCase(),
    );
    if (read === undefined) {
      this.warn(`"${key}" is ignored: it must be true or false, not ${kindOf(value)}`);
      return undefined;
    }
    this.warn(`"${key}" should be ${read} without quotes, not ${kindOf(value)}`);
    return read;
  }

  /** A time above 0 in whole milliseconds; anything else is ignored. */
  milliseconds(key: string, value: JsonValue | undefined, factor: number): Reading<number> {
    if (value === undefined || value === null) return undefined;
    const isText = typeof value === "string" && value.trim() !== "";
    const number = isText ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) {
      this.warn(`"${key}" is ignored: it must be a number above 0`);
      return undefined;
    }
    if (isText) this.warn(`"${key}" should be a number without quotes`);
    return Math.ceil(number * factor);
  }

  /** A list of texts; numbers and booleans in it become text. */
  texts(key: string, value: JsonValue | undefined): Reading<readonly string[]> {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) {
      this.problem(`Cannot use "${key}": it must be an array of strings, not ${kindOf(value)}`);
      return undefined;
    }
    const texts: string[] = [];
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      const text = this.#asText(`${key}[${index}]`, item);
      if (text !== undefined) texts.push(text);
    }
    return texts;
  }

  /** An object of texts; numbers and booleans in it become text, `null` is given to `onNull`. */
  textMap<Null extends null>(
    key: string,
    value: JsonValue | undefined,
    onNull: (name: string) => Null | undefined,
  ): Reading<Readonly<Record<string, string | Null>>> {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) {
      this.problem(
        `Cannot use "${key}": it must be an object of names and values, not ${kindOf(value)}`,
        `Write "${key}": { "NAME": "value" }`,
      );
      return undefined;
    }
    const entries: [string, string | Null][] = [];
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      if (name.trim() === "") {
        this.warn(`"${key}" holds an empty name, which is ignored`);
        continue;
      }
      const text = item === null ? onNull(name) : this.#asText(`${key}.${name}`, item);
      if (text !== undefined) entries.push([name, text]);
    }
    return Object.fromEntries(entries);
  }

  #asText(field: string, value: JsonValue): Reading<string> {
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") {
      this.warn(`"${field}" is ${kindOf(value)} and is passed as text`);
      return String(value);
    }
    this.problem(`Cannot use "${field}": it must be a string, not ${kindOf(value)}`);
    return undefined;
  }
}

const FLAG_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);

/** The kind of a JSON value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return value === undefined ? "nothing" : `a ${typeof value}`;
}
