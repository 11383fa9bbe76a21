import { visit } from "jsonc-parser";
import type { JsonValue } from "../model/json.ts";
import { MAX_DEPTH, TOO_DEEP } from "./json_scan.ts";
import { jsoncFault } from "./jsonc_fault.ts";
import type { DuplicateKey, Place } from "./place.ts";

/** What {@linkcode readJsonc} finds. */
export type JsoncReading =
  | {
    readonly ok: true;
    readonly value: JsonValue;
    readonly isEmpty: boolean;
    readonly duplicates: readonly DuplicateKey[];
    readonly placeOf: (path: readonly (string | number)[]) => Place | null;
  }
  | { readonly ok: false; readonly message: string; readonly place: Place };

/** Where one value stands, and the values in it. */
interface PlaceNode {
  readonly place: Place;
  readonly children: Map<string, PlaceNode>;
}

/** An object or array that is being read. */
interface OpenValue {
  readonly node: PlaceNode;
  /** Where its bracket stands. */
  readonly bracket: Place;
  /** What stands on the path to it, its own key last. */
  readonly path: readonly string[];
  /** The entries so far; a `Map`, as `__proto__` must be a key like any other. */
  readonly entries: Map<string, JsonValue>;
  readonly isArray: boolean;
  /** Key and place of the property whose value comes next. */
  key: string;
  keyPlace: Place | null;
}

/** Ends the visit at the first fault. */
class Fault extends Error {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** Reads JSON with comments and trailing commas in one pass, with the place of every value. */
export function readJsonc(text: string): JsoncReading {
  try {
    return readTree(text);
  } catch (error) {
    if (error instanceof Fault) return { ok: false, message: error.message, place: error.place };
    // The parser recurses; the depth is checked long before the stack ends, unless little was left.
    if (error instanceof RangeError) {
      return { ok: false, message: TOO_DEEP, place: { line: 1, column: 1 } };
    }
    throw error;
  }
}

function readTree(text: string): JsoncReading {
  const duplicates: DuplicateKey[] = [];
  const open: OpenValue[] = [];
  let lastClosed: OpenValue | undefined;
  let root: { readonly value: JsonValue; readonly node: PlaceNode } | undefined;

  /** Puts a finished value where it belongs. */
  function add(value: JsonValue, node: PlaceNode): void {
    const parent = open.at(-1);
    if (parent === undefined) {
      root = { value, node };
      return;
    }
    const key = nextKey(parent);
    parent.entries.set(key, value);
    parent.node.children.set(key, node);
  }

  function begin(isArray: boolean, place: Place): void {
    if (open.length >= MAX_DEPTH) throw new Fault(TOO_DEEP, place);
    const parent = open.at(-1);
    const node = { place: parent?.keyPlace ?? place, children: new Map<string, PlaceNode>() };
    const path = parent === undefined ? [] : [...parent.path, nextKey(parent)];
    open.push({
      node,
      bracket: place,
      path,
      entries: new Map(),
      isArray,
      key: "",
      keyPlace: null,
    });
  }

  function end(): void {
    lastClosed = open.pop();
    if (lastClosed === undefined) return;
    const { isArray, entries, node } = lastClosed;
    add(isArray ? [...entries.values()] : Object.fromEntries(entries), node);
  }

  visit(text, {
    onObjectBegin: (_offset, _length, line, column) => begin(false, placeFrom(line, column)),
    onArrayBegin: (_offset, _length, line, column) => begin(true, placeFrom(line, column)),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (key, _offset, _length, line, column) => {
      const parent = open.at(-1);
      if (parent === undefined) return;
      parent.key = key;
      parent.keyPlace = placeFrom(line, column);
      if (parent.entries.has(key)) {
        duplicates.push({ path: [...parent.path, key], place: parent.keyPlace });
      }
    },
    onLiteralValue: (value: JsonValue, _offset, _length, line, column) => {
      const place = open.at(-1)?.keyPlace ?? placeFrom(line, column);
      add(value, { place, children: new Map() });
    },
    onError: (code, offset, length, line, column) => {
      const opened = lastClosed?.bracket;
      throw new Fault(jsoncFault(code, text, offset, length, opened), placeFrom(line, column));
    },
  }, { allowTrailingComma: true, allowEmptyContent: true });

  return {
    ok: true,
    value: root?.value ?? null,
    isEmpty: root === undefined,
    duplicates,
    placeOf: (path) => find(root?.node, path),
  };
}

/** The key under which the next value of an open object or array will stand. */
function nextKey(parent: OpenValue): string {
  return parent.isArray ? String(parent.entries.size) : parent.key;
}

function find(root: PlaceNode | undefined, path: readonly (string | number)[]): Place | null {
  let node = root;
  for (const step of path) node = node?.children.get(String(step));
  return node?.place ?? null;
}

/** The parser counts lines and columns from 0. */
function placeFrom(line: number, column: number): Place {
  return { line: line + 1, column: column + 1 };
}
