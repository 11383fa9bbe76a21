import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

/**
 * A tool's argument that modern HTTP (2026-07-28, "Custom Headers from Tool Parameters") wants
 * repeated as a header: `x-mcp-header` in its input schema.
 */
export interface ParamHeader {
  /** Where the argument stands. */
  readonly path: readonly string[];
  /** The part of the header's name after `Mcp-Param-`. */
  readonly name: string;
}

/** What a schema declares, or why the tool must be left out. */
export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly reason: string };

const KEY = "x-mcp-header";
/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** Keywords below which a declaration is not allowed, by the shape of their value. */
const MAPS: readonly string[] = ["patternProperties", "dependentSchemas", "$defs", "definitions"];
const BRANCHES: readonly string[] = [
  "items",
  "prefixItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
];

/** How deep schemas are looked into; real ones reach 21 levels. */
const DEEPEST = 64;

/** Finds the declarations of a tool's input schema and checks the rules of the specification. */
export function paramHeaders(schema: JsonObject): ParamHeaders {
  const headers: ParamHeader[] = [];
  const names = new Set<string>();
  const visit = (
    node: JsonValue | undefined,
    path: readonly string[],
    open: boolean,
  ): string | null => {
    if (!isJsonObject(node) || path.length > DEEPEST) return null;
    if (Object.hasOwn(node, KEY)) {
      const problem = declare(node, path, open, names, headers);
      if (problem !== null) return problem;
    }
    const children: [JsonValue | undefined, string, boolean][] = [];
    const { properties } = node;
    if (isJsonObject(properties)) {
      for (const [key, child] of Object.entries(properties)) children.push([child, key, open]);
    }
    for (const key of MAPS) {
      const map = node[key];
      if (isJsonObject(map)) {
        for (const child of Object.values(map)) children.push([child, key, false]);
      }
    }
    for (const key of BRANCHES) {
      const branch = node[key];
      if (branch === undefined) continue;
      for (const child of Array.isArray(branch) ? branch : [branch]) {
        children.push([child as JsonValue, key, false]);
      }
    }
    for (const [child, key, reachable] of children) {
      const problem = visit(child, [...path, key], reachable);
      if (problem !== null) return problem;
    }
    return null;
  };
  const reason = visit(schema, [], true);
  return reason === null ? { ok: true, headers } : { ok: false, reason };
}

function declare(
  node: JsonObject,
  path: readonly string[],
  open: boolean,
  names: Set<string>,
  headers: ParamHeader[],
): string | null {
  const place = path.join(".") || "the root";
  const name = node[KEY];
  if (!open || path.length === 0) return `${KEY} is not allowed at ${place}`;
  if (typeof name !== "string" || !TOKEN.test(name)) return `${KEY} at ${place} is no header name`;
  if (!TYPES.has(node["type"])) return `${KEY} at ${place} is not on a string, integer or boolean`;
  if (names.has(name.toLowerCase())) return `${KEY} "${name}" is declared twice`;
  names.add(name.toLowerCase());
  headers.push({ path, name });
  return null;
}

/** The headers for one call. Arguments that are absent, null or of another kind give none. */
export function headersOfCall(
  declared: readonly ParamHeader[],
  args: JsonObject,
): Record<string, string> {
  const headers: [string, string][] = [];
  for (const { path, name } of declared) {
    let value: JsonValue | undefined = args;
    for (const key of path) {
      value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    const text = typeof value === "string"
      ? value
      : typeof value === "boolean" || Number.isSafeInteger(value)
      ? String(value)
      : null;
    if (text !== null) headers.push([`Mcp-Param-${name}`, headerValue(text)]);
  }
  return Object.fromEntries(headers);
}

/** A text as a header value: itself when it is plain, else `=?base64?…?=` over its UTF-8. */
function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  if (plain && !(text.startsWith("=?base64?") && text.endsWith("?="))) return text;
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return `=?base64?${btoa(binary)}?=`;
}
