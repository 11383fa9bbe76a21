import { isJsonObject, type JsonObject } from "../model/json.ts";
import { addToList, type CommaList, removeFromList } from "./comma_list.ts";
import { EditRefusal } from "./edit_refusal.ts";
import { PatchedText } from "./patched_text.ts";
import { endBefore, lineEnd, lineEndOf, lineStart } from "./text_lines.ts";
import type { TextPatch } from "./text_patch.ts";
import { addTomlEntry, appendTable, openTables } from "./toml_add.ts";
import { holdsNull, printKey, printString, printToml } from "./toml_print.ts";
import { removeTomlEntry } from "./toml_remove.ts";
import { findValue, isWithin, readBlocks, type TomlBlock, type TomlValue } from "./toml_tree.ts";
import type { EditStep } from "./value_steps.ts";

const ONLY_TABLES = "expected an object, as every item of this list is a table";

/** Makes one step in a TOML text. */
export function editToml(text: string, step: EditStep): readonly TextPatch[] {
  if (step.kind !== "remove" && holdsNull(step.value)) {
    throw new EditRefusal("expected a value other than null, which TOML cannot hold", null);
  }
  const blocks = readBlocks(text);
  const { path } = step;
  if (path.length === 0) throw new EditRefusal("expected an object as the whole value", null);
  if (step.kind === "add") return add(text, blocks, step);
  const found = findValue(blocks, path);
  if (step.kind === "remove") return remove(text, blocks, path, found);
  if (found === null) {
    const item = blocks.find((block) => isElementOf(block, path.slice(0, -1)));
    if (item !== undefined) throw new EditRefusal(ONLY_TABLES, item.header?.range[0] ?? null);
    // A table in the place of another kind of value, or the reverse.
    return inTurn(text, [{ kind: "remove", path }, { kind: "add", path, value: step.value }]);
  }
  const [start, end] = found.node.range;
  const printed = typeof step.value === "string"
    ? printString(step.value, text.slice(start, end))
    : printToml(step.value);
  return [{ offset: start, length: end - start, text: printed }];
}

function add(
  text: string,
  blocks: readonly TomlBlock[],
  { path, value }: EditStep & { readonly kind: "add" },
): readonly TextPatch[] {
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const holder = findValue(blocks, parent);
  if (holder === null) {
    const item = blocks.findLast((block) => isElementOf(block, parent));
    if (item === undefined) return addTomlEntry(text, blocks, parent, key, value);
    if (isJsonObject(value)) return appendTable(text, blocks, parent, value);
    throw new EditRefusal(ONLY_TABLES, item.header?.range[0] ?? null);
  }
  const opened = isJsonObject(value) ? openList(text, blocks, holder, parent, value) : null;
  if (opened !== null) return opened;
  const list = listOf(text, holder);
  const name = holder.node.type === "TOMLArray" ? "" : `${printKey(key)} = `;
  const inline = name + printToml(value);
  return addToList(list, {
    inline,
    block: () => inline,
    eol: lineEndOf(text),
    unit: "  ",
    separator: " ",
    wrap: false,
    padding: name === "" ? "" : " ",
  });
}

function remove(
  text: string,
  blocks: readonly TomlBlock[],
  path: readonly string[],
  found: TomlValue | null,
): readonly TextPatch[] {
  const parent = path.slice(0, -1);
  if (found?.parent) {
    return removeFromList(listOf(text, { ...found, node: found.parent }), found.index);
  }
  const siblings = blocks.filter((block) => isElementOf(block, parent));
  if (siblings.length === 1) {
    return inTurn(text, [
      { kind: "remove", path: parent },
      { kind: "add", path: parent, value: [] },
    ]);
  }
  return removeTomlEntry(text, blocks, path);
}

/**
 * Puts a table in the place of `[]`, so that what was left of an array of tables becomes one again
 * and no long line; `null` where that cannot be, and where a comment would lose what it is about.
 */
function openList(
  text: string,
  blocks: readonly TomlBlock[],
  { node, parent, entry }: TomlValue,
  path: readonly string[],
  value: JsonObject,
): readonly TextPatch[] | null {
  const [start, end] = node.range;
  const isBare = /^\[\s*\]$/.test(text.slice(start, end)) &&
    text.slice(end, lineEnd(text, end)).trim() === "";
  if (!isBare || parent !== null || entry.node.key.keys.length > 1) return null;
  const opened = new PatchedText(text);
  opened.apply(removeTomlEntry(text, blocks, path));
  opened.apply(openTables(opened.text, readBlocks(opened.text), path, value));
  const above = lineStart(text, endBefore(text, lineStart(text, start)));
  const undone = new PatchedText(opened.text);
  undone.apply(editToml(opened.text, { kind: "remove", path: [...path, "0"] }));
  const isAbout = /^[ \t]*#/.test(text.slice(above)) && undone.text !== text;
  return isAbout ? null : opened.patches();
}

/** Makes several steps in a row. */
function inTurn(text: string, steps: readonly EditStep[]): readonly TextPatch[] {
  const patched = new PatchedText(text);
  for (const step of steps) patched.apply(editToml(patched.text, step));
  return patched.patches();
}

/** Whether a block is an item of the array of tables at a path. */
function isElementOf({ path, header }: TomlBlock, array: readonly string[]): boolean {
  return header?.kind === "array" && path.length === array.length + 1 && isWithin(path, array) &&
    typeof path.at(-1) === "number";
}

/** The entries of an inline table or array. */
function listOf(text: string, { node }: Pick<TomlValue, "node">): CommaList {
  if (node.type !== "TOMLArray" && node.type !== "TOMLInlineTable") {
    throw new EditRefusal("expected an object or a list to hold the change", node.range[0]);
  }
  const nodes = node.type === "TOMLArray" ? node.elements : node.body;
  const items = nodes.map(({ range: [start, end] }) => ({ start, end }));
  return { text, open: node.range[0] + 1, close: node.range[1] - 1, items, comments: "hash" };
}
