import type { JsonObject, JsonValue } from "../model/json.ts";
import { indentAt, lineEnd, lineEndOf, lineStart, pastEnd } from "./text_lines.ts";
import type { TextPatch } from "./text_patch.ts";
import { printKey, printToml } from "./toml_print.ts";
import { isSamePath, isWithin, type TomlBlock, type TomlEntry } from "./toml_tree.ts";
import { isTableList, isWrittenAsTable, printTable, type TableStyle } from "./toml_tables.ts";

/** Adds a key to a table that is not written in braces. */
export function addTomlEntry(
  text: string,
  blocks: readonly TomlBlock[],
  parent: readonly string[],
  key: string,
  value: JsonValue,
): readonly TextPatch[] {
  const owner = blocks.findLast((block) => isSamePath(block.path, parent));
  const dotted = owner === undefined ? lastDotted(blocks, parent) : undefined;
  if (dotted !== undefined) return addDotted(text, dotted, parent, key, value);
  if (isWrittenAsTable(blocks, parent, key, value)) {
    const style = tableStyle(text, blocks, parent);
    const items = isTableList(value) ? value : [value];
    const printed = items.map((item) =>
      printTable(blocks, [...parent, key], item, isTableList(value), style)
    );
    return [insertBlock(text, blocks, parent, printed.join(style.eol + style.eol))];
  }
  if (owner === undefined) return addFromRoot(text, blocks, parent, key, value);
  return [insertLine(text, blocks, owner, printKey(key), value)];
}

/** Adds a table after the last one of an array of tables. */
export function appendTable(
  text: string,
  blocks: readonly TomlBlock[],
  list: readonly string[],
  value: JsonObject,
): readonly TextPatch[] {
  const printed = printTable(blocks, list, value, true, tableStyle(text, blocks, list));
  return [insertBlock(text, blocks, list, printed)];
}

/** Writes the first table of an array of tables that nothing names yet. */
export function openTables(
  text: string,
  blocks: readonly TomlBlock[],
  list: readonly string[],
  value: JsonObject,
): readonly TextPatch[] {
  const parent = list.slice(0, -1);
  const printed = printTable(blocks, list, value, true, tableStyle(text, blocks, parent));
  return [insertBlock(text, blocks, parent, printed)];
}

/** The last key with dots that leads through a table. */
function lastDotted(
  blocks: readonly TomlBlock[],
  table: readonly string[],
): TomlEntry | undefined {
  return blocks.flatMap(({ entries }) => entries)
    .findLast(({ path, block }) => block.path.length < table.length && isWithin(path, table));
}

function addDotted(
  text: string,
  { node, block }: TomlEntry,
  parent: readonly string[],
  key: string,
  value: JsonValue,
): readonly TextPatch[] {
  const start = node.key.range[0];
  const last = node.key.keys[parent.length - block.path.length - 1];
  const prefix = text.slice(start, last?.range[1] ?? start);
  const line = `${prefix}.${printKey(key)}${equals(text, block)}${printToml(value)}`;
  return [lineAfter(text, node.range, line)];
}

/** Gives a table that only headers of its sub-tables name a key, from the root with dots. */
function addFromRoot(
  text: string,
  blocks: readonly TomlBlock[],
  parent: readonly string[],
  key: string,
  value: JsonValue,
): readonly TextPatch[] {
  const root = blocks[0];
  if (root === undefined) throw new TypeError("Every text has a root");
  return [insertLine(text, blocks, root, [...parent, key].map(printKey).join("."), value)];
}

/** A new line after the entries of a block. */
function insertLine(
  text: string,
  blocks: readonly TomlBlock[],
  block: TomlBlock,
  name: string,
  value: JsonValue,
): TextPatch {
  const eol = lineEndOf(text);
  const line = `${name}${equals(text, block)}${printToml(value)}`;
  const last = block.entries.at(-1);
  if (last !== undefined) return lineAfter(text, last.node.range, line);
  if (block.header !== null) {
    const sibling = blocks.find(({ header, entries }) => header !== null && entries.length > 0);
    const indent = indentAt(text, sibling?.entries[0]?.node.range[0] ?? block.start);
    return { offset: block.end, length: 0, text: `${eol}${indent}${line}` };
  }
  if (blocks.length === 1) return atTheEnd(text, line);
  return { offset: afterIntroduction(text), length: 0, text: `${line}${eol}${eol}` };
}

/** A new line after the line on which something ends, indented like the one where it begins. */
function lineAfter(text: string, [start, end]: readonly [number, number], line: string): TextPatch {
  const added = `${lineEndOf(text)}${indentAt(text, start)}${line}`;
  return { offset: lineEnd(text, end), length: 0, text: added };
}

/** Offset after the comments that begin a text and a blank line after them; 0 without both. */
function afterIntroduction(text: string): number {
  let at = 0;
  while (text[at] === "#") at = pastEnd(text, lineEnd(text, at));
  const blank = at > 0 && text.slice(at, lineEnd(text, at)).trim() === "";
  return blank ? pastEnd(text, lineEnd(text, at)) : 0;
}

/** New blocks after the last one of a table and the comments that follow it directly. */
function insertBlock(
  text: string,
  blocks: readonly TomlBlock[],
  table: readonly string[],
  printed: string,
): TextPatch {
  const eol = lineEndOf(text);
  const family = blocks.findLast((block) => isWithin(block.path, table) && block.path.length > 0);
  if (family === undefined || table.length === 0) return atTheEnd(text, printed, eol);
  let end = family.end;
  for (let next = pastEnd(text, end); text.slice(next).trimStart().startsWith("#");) {
    const stop = lineEnd(text, next);
    if (!text.slice(next, stop).trimStart().startsWith("#")) break;
    end = stop;
    next = pastEnd(text, stop);
    // A comment directly above the next thing belongs to it.
    if (next < text.length && !/^[ \t]*(?:#|[\r\n]|$)/.test(text.slice(next))) end = family.end;
  }
  return { offset: end, length: 0, text: `${eol}${eol}${printed}` };
}

/** A new part after everything else, apart from what is there by a blank line where `gap` says. */
function atTheEnd(text: string, added: string, gap = ""): TextPatch {
  const eol = lineEndOf(text);
  const offset = text.trimEnd().length;
  if (offset === 0) return { offset: 0, length: 0, text: `${added}${eol}` };

  return { offset: lineEnd(text, offset), length: 0, text: `${eol}${gap}${added}` };
}

/** How a block writes its equals signs. */
function equals(text: string, block: TomlBlock): string {
  const node = block.entries.at(-1)?.node;
  if (node === undefined) return " = ";
  return text.slice(node.key.range[1], node.value.range[0]) === "=" ? "=" : " = ";
}

/** How the tables next to a new one are written. */
function tableStyle(
  text: string,
  blocks: readonly TomlBlock[],
  parent: readonly string[],
): TableStyle {
  const headers = blocks.filter(({ header }) => header !== null);
  const sibling =
    headers.findLast((block) =>
      block.path.length > parent.length && isWithin(block.path, parent)
    ) ?? headers.at(-1);
  const first = sibling?.entries[0] ??
    headers.find(({ entries }) => entries.length > 0)?.entries[0];
  return {
    eol: lineEndOf(text),
    headerIndent: sibling === undefined ? "" : indentAt(text, sibling.start),
    entryIndent: first === undefined ? "" : indentAt(text, lineStart(text, first.node.range[0])),
    equals: sibling === undefined ? " = " : equals(text, sibling),
  };
}
