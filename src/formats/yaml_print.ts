import { isJsonObject, type JsonValue } from "../model/json.ts";

/** How new YAML is written. */
export interface YamlStyle {
  /** Line end. */
  readonly eol: string;
  /** By how many columns an object stands deeper than its key. */
  readonly unit: number;
  /** By how many columns a list stands deeper than its key. */
  readonly listUnit: number;
  /** `true`: lists of texts and numbers are written in brackets. */
  readonly flowLists: boolean;
}

/** Words that one version of YAML or another takes for something else than text. */
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
/** Texts that need no quotes anywhere: no number, date or special character in them. */
const PLAIN =
  /^(?:[A-Za-z_/\\]|\.{0,2}\/|--?[A-Za-z])[\w/\\.@:+=%~!?*&$;()'"-]*(?: [\w/\\.@+=%~()-]+)*$/;

/** A text, quoted where YAML would read something else. */
export function printText(value: string, quote: "single" | "double" | null = null): string {
  if (quote === "single" && /^[^\p{Cc}\p{Cs}\ufeff\u2028\u2029]*$/u.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  const isPlain = PLAIN.test(value) && !WORDS.test(value) && !/:(?: |$)/.test(value);
  if (quote === null && isPlain) return value;
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\ufeff\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A key; one with a colon is quoted. */
export function printYamlKey(key: string): string {
  return key.includes(":") ? printText(key, "double") : printText(key);
}

/** A value on one line. */
export function printFlow(value: JsonValue): string {
  if (typeof value === "string") return printText(value);
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => printFlow(item)).join(", ")}]`;
  }
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) =>
    `${printYamlKey(key)}: ${printFlow(item ?? null)}`
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Whether a value is written on lines of its own. */
export function isBlockValue(value: JsonValue, style: YamlStyle): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return false;
  const isPlainList = Array.isArray(value) &&
    value.every((item: unknown) => typeof item !== "object" || item === null);
  return !(isPlainList && style.flowLists);
}

/** By how many columns a value stands deeper than its key. */
export function stepOf(value: JsonValue, style: YamlStyle): number {
  return Array.isArray(value) ? style.listUnit : style.unit;
}

/** A value whose first line is put at a column and whose others begin at it. */
export function printLines(value: JsonValue, column: number, style: YamlStyle): string {
  if (!isBlockValue(value, style)) return printFlow(value);
  const next = style.eol + " ".repeat(column);
  if (Array.isArray(value)) {
    return value.map((item: JsonValue) => `- ${printLines(item, column + 2, style)}`).join(next);
  }
  return Object.entries(value as object).map(([key, item]: [string, JsonValue | undefined]) =>
    printEntry(key, item ?? null, column, style)
  ).join(next);
}

/** A key with its value, whose lines begin at a column. */
export function printEntry(
  key: string,
  value: JsonValue,
  column: number,
  style: YamlStyle,
): string {
  const name = printYamlKey(key);
  if (!isBlockValue(value, style)) return `${name}: ${printFlow(value)}`;
  const inner = column + stepOf(value, style);
  return `${name}:${style.eol}${" ".repeat(inner)}${printLines(value, inner, style)}`;
}
