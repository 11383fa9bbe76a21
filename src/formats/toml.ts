import { parse, TomlError } from "smol-toml";
import type { JsonValue } from "../model/json.ts";
import { MAX_DEPTH, TOO_DEEP } from "./json_scan.ts";
import { emptyText, type ParseResult, withoutMark } from "./parsed_text.ts";
import { placeAt } from "./place.ts";
import { findNode, type PlaceNode } from "./place_tree.ts";
import { tomlFault } from "./toml_fault.ts";

/** Loads where the values stand, once, when it is first asked for. */
type LoadPlaces = () => Promise<PlaceNode | undefined>;

/** Means that a value is nested too deep; `path` leads to it. */
class TooDeep extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super(TOO_DEEP);
    this.path = path;
  }
}

/**
 * Reads TOML 1.1. Never throws or rejects. The parser with places is loaded only when a place is
 * asked for, or for the text of a date.
 */
export async function parseToml(text: string): Promise<ParseResult> {
  const body = withoutMark(text);
  // No parser reads it, and their messages name something else.
  const loneReturn = /\r(?!\n)/.exec(body);
  if (loneReturn !== null) {
    const message = "expected line ends that TOML knows (LF or CR LF), found a lone CR";
    return { ok: false, message, place: placeAt(body, loneReturn.index) };
  }
  let places: Promise<PlaceNode | undefined> | undefined;
  const load: LoadPlaces = () =>
    places ??= import("./toml_places.ts").then(({ tomlPlaces }) => tomlPlaces(body));
  try {
    const root = parse(body, { integersAsBigInt: "asNeeded", maxDepth: MAX_DEPTH - 1 });
    if (Object.keys(root).length === 0) return emptyText();
    const written = hasDate(root) ? await load() : undefined;
    const value = plainValue(root, [], written);
    return {
      ok: true,
      document: {
        value,
        isEmpty: false,
        duplicates: [],
        placeOf: async (path) => {
          const node = findNode(await load(), path);
          return node === undefined ? null : placeAt(body, node.offset);
        },
      },
    };
  } catch (error) {
    if (error instanceof TomlError) return { ok: false, ...tomlFault(error, body) };
    if (error instanceof TooDeep) {
      const offset = findNode(await load(), error.path)?.offset ?? 0;
      return { ok: false, message: TOO_DEEP, place: placeAt(body, offset) };
    }
    // The parser recurses; its depth is bounded, unless little was left of the stack.
    if (error instanceof RangeError) {
      return { ok: false, message: TOO_DEEP, place: { line: 1, column: 1 } };
    }
    return { ok: false, message: "expected TOML", place: { line: 1, column: 1 } };
  }
}

/** Whether a value holds a date or time on any level. */
function hasDate(root: unknown): boolean {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value instanceof Date) return true;
    if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) waiting.push(item);
    }
  }
  return false;
}

/** The parser's value as JSON. */
function plainValue(
  value: unknown,
  path: readonly string[],
  places: PlaceNode | undefined,
): JsonValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  if (value instanceof Date) return findNode(places, path)?.written ?? value.toISOString();
  if (typeof value !== "object" || value === null) return null;
  if (path.length >= MAX_DEPTH) throw new TooDeep(path);
  if (Array.isArray(value)) {
    return value.map((item, index) => plainValue(item, [...path, String(index)], places));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValue(item, [...path, key], places)]),
  );
}
