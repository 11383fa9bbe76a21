import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import { MAX_DEPTH, TOO_DEEP } from "./json_scan.ts";
import type { PlaceNode } from "./place_tree.ts";

/** How many values all aliases together may stand for. */
const MAX_ALIASED = 100_000;

/** What is wrong with a value, and the offset where. */
export class YamlFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** What {@linkcode readYamlValue} finds. */
export interface YamlReading {
  readonly value: JsonValue;
  readonly places: PlaceNode;
  /** Repeated keys in the order of the text, each with the offset of the repetition. */
  readonly duplicates: readonly { readonly path: readonly string[]; readonly offset: number }[];
}

/** One value and where it and its parts stand. */
interface Read {
  readonly value: JsonValue;
  readonly node: PlaceNode;
}

/** Turns a document without errors into JSON. Throws a {@linkcode YamlFault}. */
export function readYamlValue(document: Document, text: string): YamlReading {
  const reader = new ValueReader(text, anchorsOf(document));
  const contents = document.contents;
  const { value, node } = reader.read(contents, contents?.range?.[0] ?? 0, []);
  return { value, places: node, duplicates: reader.duplicates };
}

/** The node that each alias stands for: the last one before it that bears the name. */
export function anchorsOf(document: Document): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const source = named.get(node.source);
        if (source !== undefined) found.set(node, source);
      } else if ("anchor" in node && typeof node.anchor === "string") {
        named.set(node.anchor, node);
      }
    },
  });
  return found;
}

class ValueReader {
  readonly duplicates: { readonly path: readonly string[]; readonly offset: number }[] = [];
  readonly #text: string;
  readonly #anchors: ReadonlyMap<Alias, Node>;
  /** Nodes that aliases stand for and that are being read now. */
  readonly #open = new Set<unknown>();
  #aliased = 0;
  #aliasDepth = 0;

  constructor(text: string, anchors: ReadonlyMap<Alias, Node>) {
    this.#text = text;
    this.#anchors = anchors;
  }

  /** Reads a node whose key, or which itself, stands at an offset. */
  read(node: unknown, offset: number, path: readonly string[]): Read {
    if (this.#aliasDepth > 0 && ++this.#aliased > MAX_ALIASED) {
      const message = `expected aliases that stand for at most ${MAX_ALIASED} values, found more`;
      throw new YamlFault(message, offset);
    }
    if (isAlias(node)) return this.#readAlias(node, offset, path);
    const place: PlaceNode = { offset, children: new Map() };
    if (isScalar(node)) return { value: this.#scalar(node), node: place };
    if (!isMap(node) && !isSeq(node)) return { value: null, node: place };
    if (path.length >= MAX_DEPTH) throw new YamlFault(TOO_DEEP, node.range?.[0] ?? offset);
    this.#open.add(node);
    const value = isMap(node) ? this.#map(node, place, path) : node.items.map((item, index) => {
      const step = String(index);
      const read = isPair(item)
        ? this.#onePair(item, offset, [...path, step])
        : this.read(item, startOf(item) ?? offset, [...path, step]);
      place.children.set(step, read.node);
      return read.value;
    });
    this.#open.delete(node);
    return { value, node: place };
  }

  #readAlias(alias: Alias, offset: number, path: readonly string[]): Read {
    const source = this.#anchors.get(alias);
    const at = startOf(alias) ?? offset;
    if (source === undefined) throw new YamlFault('expected the anchor ("&") above its alias', at);
    if (this.#open.has(source)) {
      throw new YamlFault("expected an alias that stands outside of what it stands for", at);
    }
    this.#aliasDepth++;
    const read = this.read(source, offset, path);
    this.#aliasDepth--;
    return read;
  }

  #scalar(node: Scalar): JsonValue {
    const { value } = node;
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "bigint") return Number(value);
    // An infinity, a date, binary data: what is written.
    return node.source ?? this.#text.slice(...(node.range ?? [0, 0])).trim();
  }

  #map(map: YAMLMap, place: PlaceNode, path: readonly string[]): JsonValue {
    // A `Map`, as `__proto__` must be a key like any other.
    const entries = new Map<string, JsonValue>();
    const own = new Set<string>();
    for (const pair of map.items) {
      const offset = startOf(pair.key) ?? place.offset;
      if (isMerge(pair)) {
        this.#merge(pair, offset, path, entries, place);
        continue;
      }
      const key = this.#key(pair.key, offset);
      if (own.has(key) && this.#aliasDepth === 0) {
        this.duplicates.push({ path: [...path, key], offset });
      }
      own.add(key);
      const read = this.read(pair.value, offset, [...path, key]);
      entries.set(key, read.value);
      place.children.set(key, read.node);
    }
    return Object.fromEntries(entries);
  }

  /** A key with a value that stands in a list without a map of its own. */
  #onePair(pair: Pair, offset: number, path: readonly string[]): Read {
    const start = startOf(pair.key) ?? offset;
    const key = this.#key(pair.key, start);
    const read = this.read(pair.value, start, [...path, key]);
    return {
      value: Object.fromEntries([[key, read.value]]),
      node: { offset: start, children: new Map([[key, read.node]]) },
    };
  }

  /** Adds the entries of other maps that do not stand in the map itself. */
  #merge(
    pair: Pair,
    offset: number,
    path: readonly string[],
    entries: Map<string, JsonValue>,
    place: PlaceNode,
  ): void {
    const read = this.read(pair.value, offset, path);
    const list = Array.isArray(read.value) ? read.value as readonly JsonValue[] : null;
    const sources = list ?? [read.value];
    sources.forEach((source, index) => {
      if (!isJsonObject(source)) {
        throw new YamlFault('expected a map, or a list of maps, after "<<:"', offset);
      }
      const node = list === null ? read.node : read.node.children.get(String(index));
      for (const [key, value] of Object.entries(source)) {
        if (entries.has(key)) continue;
        entries.set(key, value ?? null);
        const child = node?.children.get(key);
        if (child !== undefined) place.children.set(key, child);
      }
    });
  }

  /** A key as text. */
  #key(node: unknown, offset: number): string {
    if (isScalar(node)) {
      if (typeof node.value === "string") return node.value;
      return node.source ?? String(this.#scalar(node));
    }
    if (node === null || node === undefined) return "";
    const known = this.duplicates.length;
    const { value } = this.read(node, offset, []);
    // What repeats within a key is no entry that somebody could look for.
    this.duplicates.length = known;
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}

/** Whether a pair is a merge key: `<<` without quotes. */
function isMerge(pair: Pair): boolean {
  if (!isScalar(pair.key) || pair.key.type !== "PLAIN") return false;
  const { value } = pair.key;
  return value === "<<" || (typeof value === "symbol" && value.description === "<<");
}

/** Offset where a node begins. */
function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
