import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/** How new JSON is written. */
export interface JsonStyle {
  /** Line end. */
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  /** `true`: arrays of texts and numbers stand on one line, where they fit. */
  readonly shortArrays: boolean;
  /** What stands between a key and its value on a line of others. */
  readonly colon: string;
  /** What stands after a comma on a line of others. */
  readonly separator: string;
  /** What stands inside of braces on a line of others. */
  readonly padding: string;
}

/** Longest array, in UTF-16 units, that is written on one line. */
const SHORT = 100;

/** A value over several lines; those after the first begin with `indent`. */
export function printBlock(value: JsonValue, indent: string, style: JsonStyle): string {
  const inner = indent + style.unit;
  const wrap = (open: string, items: readonly string[], close: string): string =>
    `${open}${style.eol}${inner}${
      items.join(`,${style.eol}${inner}`)
    }${style.eol}${indent}${close}`;
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    if (list.length === 0) return "[]";
    if (style.shortArrays && list.every((item) => typeof item !== "object" || item === null)) {
      const short = `[${list.map((item) => JSON.stringify(item)).join(", ")}]`;
      if (short.length <= SHORT) return short;
    }
    return wrap("[", list.map((item) => printBlock(item, inner, style)), "]");
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = entriesOf(value).map(([key, item]) =>
    `${JSON.stringify(key)}: ${printBlock(item, inner, style)}`
  );
  return entries.length === 0 ? "{}" : wrap("{", entries, "}");
}

/** A value on one line. */
export function printInline(value: JsonValue, style: JsonStyle): string {
  const comma = `,${style.separator}`;
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => printInline(item, style)).join(comma)}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = entriesOf(value).map(([key, item]) =>
    `${JSON.stringify(key)}${style.colon}${printInline(item, style)}`
  );
  if (entries.length === 0) return "{}";
  return `{${style.padding}${entries.join(comma)}${style.padding}}`;
}

function entriesOf(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).map(([key, item]) => [key, item ?? null]);
}
