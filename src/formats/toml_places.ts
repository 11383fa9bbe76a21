import { type AST, parseTOML } from "toml-eslint-parser";
import type { PlaceNode } from "./place_tree.ts";
import { keyName } from "./toml_tree.ts";

/**
 * Where the values of a TOML text stand; `undefined` when this parser, unlike the other, refuses
 * the text. A table stands where its own header does, or where its first key does.
 */
export function tomlPlaces(text: string): PlaceNode | undefined {
  try {
    const root: PlaceNode = { offset: 0, children: new Map() };
    for (const top of parseTOML(text).body) {
      for (const part of top.body) {
        if (part.type === "TOMLKeyValue") addEntry(root, part);
        else addTable(root, part);
      }
    }
    return root;
  } catch {
    return undefined;
  }
}

function addTable(root: PlaceNode, table: AST.TOMLTable): void {
  const offset = table.key.range[0];
  let node = root;
  table.resolvedKey.forEach((step, index) => {
    const isLast = index === table.resolvedKey.length - 1;
    node = isLast ? settle(node, String(step), offset) : child(node, String(step), offset);
  });
  for (const entry of table.body) addEntry(node, entry);
}

function addEntry(parent: PlaceNode, entry: AST.TOMLKeyValue): void {
  let node = parent;
  const keys = entry.key.keys;
  for (const key of keys.slice(0, -1)) node = child(node, keyName(key), key.range[0]);
  const last = keys.at(-1);
  if (last !== undefined) addValue(node, keyName(last), last.range[0], entry.value);
}

function addValue(
  parent: PlaceNode,
  key: string,
  offset: number,
  value: AST.TOMLContentNode,
): void {
  const written = value.type === "TOMLValue" && "datetime" in value ? value.datetime : undefined;
  const node: PlaceNode = {
    offset,
    children: new Map(),
    ...(written === undefined ? {} : { written }),
  };
  parent.children.set(key, node);
  if (value.type === "TOMLArray") {
    value.elements.forEach((item, index) => addValue(node, String(index), item.range[0], item));
  } else if (value.type === "TOMLInlineTable") {
    for (const entry of value.body) addEntry(node, entry);
  }
}

/** The node of a table, which may have been named before as the parent of another. */
function settle(parent: PlaceNode, key: string, offset: number): PlaceNode {
  const node = { offset, children: parent.children.get(key)?.children ?? new Map() };
  parent.children.set(key, node);
  return node;
}

function child(parent: PlaceNode, key: string, offset: number): PlaceNode {
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const node: PlaceNode = { offset, children: new Map() };
  parent.children.set(key, node);
  return node;
}
