import { type AST, parseTOML } from "toml-eslint-parser";
import { lineEnd, lineStart } from "./text_lines.ts";

/** A path of keys; a number is a position in an array of tables, which no header writes. */
export type TomlPath = readonly (string | number)[];

/** One `key = value` that stands on a line of its own. */
export interface TomlEntry {
  /** From the root. */
  readonly path: TomlPath;
  readonly node: AST.TOMLKeyValue;
  readonly block: TomlBlock;
}

/** A header with its entries; the first block of a text is the root, without a header. */
export interface TomlBlock {
  /** What the header names; empty for the root. */
  readonly path: TomlPath;
  readonly header: AST.TOMLTable | null;
  readonly entries: readonly TomlEntry[];
  /** Offset at which the line of the header begins. */
  readonly start: number;
  /** Offset of the line end after the last entry, or after the header; 0 for an empty root. */
  readonly end: number;
}

/** Reads the blocks of a text that has no fault. Throws for one that has. */
export function readBlocks(text: string): readonly TomlBlock[] {
  // Without a line end after it, the parser misplaces the end of a number.
  const top = parseTOML(`${text}\n`).body[0];
  const pairs = top.body.filter((part) => part.type === "TOMLKeyValue");
  const tables = top.body.filter((part) => part.type === "TOMLTable");
  return [
    makeBlock(text, [], null, pairs),
    ...tables.map((table) => makeBlock(text, table.resolvedKey, table, table.body)),
  ];
}

function makeBlock(
  text: string,
  path: TomlPath,
  header: AST.TOMLTable | null,
  pairs: readonly AST.TOMLKeyValue[],
): TomlBlock {
  const entries: TomlEntry[] = [];
  const last = pairs.at(-1)?.range[1] ?? header?.key.range[1];
  const block: TomlBlock = {
    path,
    header,
    entries,
    start: header === null ? 0 : lineStart(text, header.range[0]),
    end: last === undefined ? 0 : lineEnd(text, last),
  };
  for (const node of pairs) {
    entries.push({ path: [...path, ...node.key.keys.map(keyName)], node, block });
  }
  return block;
}

/** The name that a part of a key stands for. */
export function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

/** Whether a path begins with another, or is it. */
export function isWithin(path: TomlPath, outer: TomlPath): boolean {
  return path.length >= outer.length &&
    outer.every((step, index) => String(path[index]) === String(step));
}

/** Whether two paths are the same. */
export function isSamePath(path: TomlPath, other: TomlPath): boolean {
  return path.length === other.length && isWithin(path, other);
}

/** Where a value is written with `=` or in an inline table or array. */
export interface TomlValue {
  readonly node: AST.TOMLContentNode;
  /** The inline table or array that it lies in; `null` when it is that of an entry. */
  readonly parent: AST.TOMLInlineTable | AST.TOMLArray | null;
  /** Its position in the parent; -1 without one. */
  readonly index: number;
  /** The entry on whose lines it stands. */
  readonly entry: TomlEntry;
}

/** The written value at a path; `null` when there is none, as for a table with a header. */
export function findValue(blocks: readonly TomlBlock[], path: readonly string[]): TomlValue | null {
  for (const block of blocks) {
    for (const entry of block.entries) {
      if (!isWithin(path, entry.path)) continue;
      let found: TomlValue | null = { node: entry.node.value, parent: null, index: -1, entry };
      let rest: readonly string[] = path.slice(entry.path.length);
      while (rest.length > 0 && found !== null) {
        const step: Step | null = stepInto(found, rest);
        found = step?.value ?? null;
        rest = rest.slice(step?.keys ?? 0);
      }
      return found;
    }
  }
  return null;
}

interface Step {
  readonly value: TomlValue;
  readonly keys: number;
}

/** The value in an inline table or array that a path leads to. */
function stepInto({ node, entry }: TomlValue, path: readonly string[]): Step | null {
  if (node.type === "TOMLArray") {
    const index = Number(path[0]);
    const item = node.elements[index];
    return item === undefined
      ? null
      : { value: { node: item, parent: node, index, entry }, keys: 1 };
  }
  if (node.type !== "TOMLInlineTable") return null;
  for (const [index, pair] of node.body.entries()) {
    const keys = pair.key.keys.map(keyName);
    if (!isWithin(path, keys)) continue;
    return { value: { node: pair.value, parent: node, index, entry }, keys: keys.length };
  }
  return null;
}
