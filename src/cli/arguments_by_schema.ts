import { closest } from "../definitions/suggestion.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import { candidateTypes, propertySchema, type SchemaType } from "./schema_types.ts";

/** Arguments of a call as the command line gives them, before the tool's schema is known. */
export type RawArguments =
  | { readonly form: "object"; readonly value: JsonObject }
  | { readonly form: "pairs"; readonly pairs: readonly (readonly [key: string, value: string])[] };

/**
 * Reads what follows the tool's name: nothing, one JSON object, `-` for a JSON object on stdin,
 * or words `key=value`.
 * @param readInput Gives the text of stdin.
 * @throws {HotplugError} `bad-arguments`
 */
export async function readArguments(
  words: readonly string[],
  readInput: () => Promise<string>,
): Promise<RawArguments> {
  const [first] = words;
  if (words.length === 1 && first === "-") {
    return { form: "object", value: jsonObject(await readInput(), "stdin") };
  }
  if (words.length === 1 && first !== undefined && first.trimStart().startsWith("{")) {
    return { form: "object", value: jsonObject(first, "the arguments") };
  }
  return { form: "pairs", pairs: words.map(pairOf) };
}

/**
 * The arguments of a call, with the types of the tool's schema.
 * @throws {HotplugError} `bad-arguments`, with the tool's parameters as hint.
 */
export function typedArguments(raw: RawArguments, tool: ToolInfo): JsonObject {
  if (raw.form === "object") return raw.value;
  const schema = tool.inputSchema;
  const given = new Map<string, JsonValue>();
  /** Keys whose arrays are made of one word an item. */
  const lists = new Set<string>();
  for (const [key, text] of raw.pairs) {
    const property = propertySchema(schema, key);
    if (property === null) throw unknownKey(key, tool);
    const types = candidateTypes(property, schema);
    const whole = typedValue(text, types);
    const isItem = whole === undefined && types.includes("array");
    if (given.has(key) && !(isItem && lists.has(key))) {
      throw bad(`Cannot use "${key}": it is given twice`, tool);
    }
    const value = isItem ? withItem(given.get(key) ?? [], text, property, schema) : whole;
    if (value === undefined) {
      throw bad(`Cannot use "${text}" for "${key}": it is no ${types.join(" or ")}`, tool);
    }
    if (isItem) lists.add(key);
    given.set(key, value);
  }
  const missing = required(schema).filter((key) => !given.has(key));
  if (missing.length > 0) {
    const names = missing.map((key) => `"${key}"`).join(", ");
    throw bad(`Cannot call tool "${tool.name}": it needs ${names}`, tool);
  }
  return Object.fromEntries(given);
}

/** One line that names a tool's parameters: `a number, [b string]`; brackets mark optional ones. */
export function parameterLine(tool: ToolInfo): string {
  const schema = tool.inputSchema;
  const properties = schema["properties"];
  const needed = new Set(required(schema));
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return "It takes no parameters";
  const shown = names.map((name) => {
    const property = propertySchema(schema, name);
    const types = property === null ? [] : candidateTypes(property, schema);
    const text = types.length === 0 ? name : `${name} ${types.join("|")}`;
    return needed.has(name) ? text : `[${text}]`;
  });
  return `Parameters: ${shown.join(", ")}`;
}

/** How arguments are written; the quotes keep a shell from taking a JSON object apart. */
const HOW_TO_WRITE =
  `Write key=value words, one JSON object such as '{"key": 1}', or - to read it from stdin`;

/** A word `key=value`, split at the first equals sign. */
function pairOf(word: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new HotplugError("bad-arguments", `Cannot read argument "${word}": it has no key`, {
    hint: HOW_TO_WRITE,
  });
}

/** A JSON object from text. */
function jsonObject(text: string, what: string): JsonObject {
  const fail = (problem: string): HotplugError =>
    new HotplugError("bad-arguments", `Cannot read ${what}: ${problem}`, { hint: HOW_TO_WRITE });
  if (text.trim() === "") throw fail("there is nothing in it");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw fail(`no JSON: ${reason}`);
  }
  if (isJsonObject(value)) return value;
  throw fail("a JSON object is needed");
}

/** A text as the first of some types that it fits; `undefined` when it fits none. */
function typedValue(text: string, types: readonly SchemaType[]): JsonValue | undefined {
  if (types.length === 0) return untypedValue(text);
  for (const type of types) {
    const value = valueAs(text, type);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The items of an array after one more word: `tag=a tag=b` is `["a", "b"]`. `undefined` when the
 * word is no item, or the beginning of a broken JSON array.
 */
function withItem(
  before: JsonValue,
  text: string,
  array: JsonObject,
  root: JsonObject,
): JsonValue | undefined {
  if (!Array.isArray(before) || text.trimStart().startsWith("[")) return undefined;
  const items = array["items"];
  const item = typedValue(text, isJsonObject(items) ? candidateTypes(items, root) : []);
  return item === undefined ? undefined : [...before, item];
}

/** A text as one type. */
function valueAs(text: string, type: SchemaType): JsonValue | undefined {
  switch (type) {
    case "string":
      return text;
    case "null":
      return text === "null" ? null : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "integer":
    case "number":
      return numberOf(text, type);
    case "array":
    case "object": {
      const value = parsed(text);
      if (type === "array") return Array.isArray(value) ? value : undefined;
      return isJsonObject(value) ? value : undefined;
    }
  }
}

/** A text for a parameter without a type: JSON when it is some, else the text itself. */
function untypedValue(text: string): JsonValue {
  return parsed(text) ?? (text === "null" ? null : text);
}

/** A number as JSON writes it; integers only as long as they are exact. */
function numberOf(text: string, type: "integer" | "number"): number | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return type === "number" || Number.isSafeInteger(value) ? value : undefined;
}

/** JSON, or `undefined` for what is none. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The names that a schema requires. */
function required(schema: JsonObject): readonly string[] {
  const names = schema["required"];
  return Array.isArray(names)
    ? names.filter((name): name is string => typeof name === "string")
    : [];
}

/** The error for a key that the tool does not take. */
function unknownKey(key: string, tool: ToolInfo): HotplugError {
  const properties = tool.inputSchema["properties"];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const suggestion = closest(key, known);
  return bad(
    `Cannot use "${key}": tool "${tool.name}" has no such parameter`,
    tool,
    suggestion,
  );
}

/** An error about arguments, with the tool's parameters as hint. */
function bad(message: string, tool: ToolInfo, suggestion: string | null = null): HotplugError {
  const line = parameterLine(tool);
  return new HotplugError("bad-arguments", message, {
    hint: suggestion === null ? line : `Did you mean "${suggestion}"? ${line}`,
    details: { tool: tool.name, suggestion },
  });
}
