import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { oneLine } from "./one_line.ts";

/** Most characters of alternatives. */
const LONGEST_CHOICE = 60;

/** Most characters of an object within the arguments. */
const LONGEST_OBJECT = 100;

/** How deep types are followed: `string[][]`. */
const MAX_DEPTH = 3;

/**
 * The arguments of a tool in a few words, those that are required first: `path: string, head?:
 * number`. Enough for most calls; the schema says the rest. Pure.
 * @param most Most characters; what does not fit is `…`.
 */
export function signatureOf(schema: JsonObject, most: number): string {
  return argumentWords(schema, most, 0);
}

function argumentWords(schema: JsonObject, most: number, depth: number): string {
  const given = schema["properties"];
  const properties = Object.entries(isJsonObject(given) ? given : {});
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const place = (key: string): number => required.has(key) ? 0 : 1;
  const sorted = properties.toSorted(([a], [b]) => place(a) - place(b));
  let text = "";
  for (const [key, property] of sorted) {
    const word = `${argumentName(key)}${required.has(key) ? "" : "?"}: ${
      typeWords(property, depth)
    }`;
    const next = text === "" ? word : `${text}, ${word}`;
    if (next.length > most) return text === "" ? "…" : `${text}, …`;
    text = next;
  }
  return text;
}

function argumentName(key: string): string {
  return /^[\w.$-]{1,64}$/.test(key) ? key : JSON.stringify(oneLine(key, 64));
}

/** `string`, `{x: number}[]`, `"asc"|"desc"`; `any` for what does not say. */
function typeWords(schema: JsonValue | undefined, depth: number): string {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return "any";
  const { type } = schema;
  const choices = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (Array.isArray(choices)) {
    const words = joined(choices.map((choice) => oneLine(JSON.stringify(choice), LONGEST_CHOICE)));
    if (words !== null) return words;
  }
  if (Array.isArray(type)) return joined(type.map(String)) ?? "any";
  if (type === "array") {
    const item = typeWords(schema["items"] as JsonValue | undefined, depth + 1);
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "object" || isJsonObject(schema["properties"])) return objectWords(schema, depth);
  if (typeof type === "string") return /^[a-z]{1,16}$/.test(type) ? type : "any";
  const parts = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(parts)) return "any";
  return joined(parts.map((part) => typeWords(part as JsonValue, depth + 1))) ?? "any";
}

/** An object by its members when they are few, else as `object`. */
function objectWords(schema: JsonObject, depth: number): string {
  const members = depth >= MAX_DEPTH ? "" : argumentWords(schema, LONGEST_OBJECT, depth + 1);
  return members === "" || members.endsWith("…") ? "object" : `{${members}}`;
}

/** Alternatives; `null` when there is none, or they are too long. */
function joined(words: readonly string[]): string | null {
  const text = [...new Set(words)].join("|");
  return text === "" || text.length > LONGEST_CHOICE ? null : text;
}
