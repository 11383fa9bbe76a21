import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { oneLine } from "./one_line.ts";

/** Most characters of the words for one type. */
const LONGEST_TYPE = 60;

/** How deep types are followed: `string[][]`. */
const MAX_DEPTH = 3;

/**
 * The arguments of a tool in a few words, those that are required first: `path: string, head?:
 * number`. Enough for most calls; the schema says the rest. Pure.
 * @param most Most characters; what does not fit is `…`.
 */
export function signatureOf(schema: JsonObject, most: number): string {
  const given = schema["properties"];
  const properties = Object.entries(isJsonObject(given) ? given : {});
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const isOptional = ([key]: [string, JsonValue]): number => required.has(key) ? 0 : 1;
  const sorted = properties.toSorted((a, b) => isOptional(a) - isOptional(b));
  let text = "";
  for (const [key, property] of sorted) {
    const word = `${argumentName(key)}${required.has(key) ? "" : "?"}: ${typeWords(property, 0)}`;
    const next = text === "" ? word : `${text}, ${word}`;
    if (next.length > most) return text === "" ? "…" : `${text}, …`;
    text = next;
  }
  return text;
}

function argumentName(key: string): string {
  return /^[\w.$-]{1,64}$/.test(key) ? key : JSON.stringify(oneLine(key, 64));
}

/** `string`, `number[]`, `"asc"|"desc"`; `any` for what does not say. */
function typeWords(schema: JsonValue | undefined, depth: number): string {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return "any";
  const { type } = schema;
  const choices = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  if (Array.isArray(choices)) {
    const words = joined(choices.map((choice) => oneLine(JSON.stringify(choice), LONGEST_TYPE)));
    if (words !== null) return words;
  }
  if (Array.isArray(type)) return joined(type.map(String)) ?? "any";
  if (type === "array") {
    const item = typeWords(schema["items"] as JsonValue | undefined, depth + 1);
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if (typeof type === "string") return /^[a-z]{1,16}$/.test(type) ? type : "any";
  const parts = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(parts)) return isJsonObject(schema["properties"]) ? "object" : "any";
  return joined(parts.map((part) => typeWords(part as JsonValue, depth + 1))) ?? "any";
}

/** Alternatives; `null` when there is none, or they are too long. */
function joined(words: readonly string[]): string | null {
  const text = [...new Set(words)].join("|");
  return text === "" || text.length > LONGEST_TYPE ? null : text;
}
