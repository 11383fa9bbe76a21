import { type Node, parseTree } from "jsonc-parser";
import type { JsonValue } from "../model/json.ts";
import { addToList, type CommaList, type ListItem, removeFromList } from "./comma_list.ts";
import { EditRefusal } from "./edit_refusal.ts";
import { type JsonStyle, printBlock, printInline } from "./jsonc_print.ts";
import { indentAt, lineEndOf, startsLine } from "./text_lines.ts";
import type { TextPatch } from "./text_patch.ts";
import type { EditStep } from "./value_steps.ts";

/** Makes one step in a text of JSON with comments. */
export function editJsonc(text: string, step: EditStep): readonly TextPatch[] {
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  if (root === undefined) return step.kind === "remove" ? [] : newFile(text, step);
  const steps = step.path.slice(0, step.kind === "set" ? undefined : -1);
  let node: Node | undefined = root;
  for (const key of steps) node = node === undefined ? undefined : childOf(node, key);
  if (node === undefined) throw new EditRefusal("expected the key on the way there", null);
  if (step.kind === "set") return setValue(text, root, node, step.value);
  const key = step.path.at(-1) ?? "";
  const list = listOf(text, node);
  if (step.kind === "remove") {
    const child = childOf(node, key);
    const same = node.children?.filter((one) => one.children?.[0]?.value === key) ?? [];
    if (node.type === "object" && same.length > 1) {
      throw new EditRefusal("expected the key once, found it again", child?.parent?.offset ?? null);
    }
    const index = node.children?.findIndex((one) => one === child || one === child?.parent) ?? -1;
    return removeFromList(list, index);
  }
  const style = styleOf(text, root, node);
  const isArray = node.type === "array";
  const name = JSON.stringify(key);
  return addToList(list, {
    inline: (isArray ? "" : `${name}${style.colon}`) + printInline(step.value, style),
    block: (indent) => (isArray ? "" : `${name}: `) + printBlock(step.value, indent, style),
    eol: style.eol,
    unit: style.unit,
    separator: style.separator,
    wrap: isOnOwnLine(text, node) && !(isArray && style.shortArrays && isPlain(step.value)),
  });
}

/** Writes the first value into a text of white space and comments. */
function newFile(
  text: string,
  step: EditStep & { readonly value: JsonValue },
): readonly TextPatch[] {
  const style: JsonStyle = { ...DEFAULT_STYLE, eol: lineEndOf(text) };
  const value = step.path.reduceRight<JsonValue>(
    (inner, key) => Object.fromEntries([[key, inner]]),
    step.value,
  );
  const gap = text === "" || /[\r\n]$/.test(text) ? "" : style.eol;
  const added = `${gap}${printBlock(value, "", style)}${style.eol}`;
  return [{ offset: text.length, length: 0, text: added }];
}

function setValue(text: string, root: Node, node: Node, value: JsonValue): readonly TextPatch[] {
  const holder = node.parent?.type === "property" ? node.parent.parent : node.parent;
  const style = styleOf(text, root, holder ?? node);
  const printed = isOnOwnLine(text, node)
    ? printBlock(value, indentAt(text, node.offset), style)
    : printInline(value, style);
  return [{ offset: node.offset, length: node.length, text: printed }];
}

/** The value of a key (of equal ones the last) or of a position. */
function childOf(node: Node, key: string): Node | undefined {
  if (node.type === "array") return node.children?.[Number(key)];
  return node.children?.findLast((property) => property.children?.[0]?.value === key)
    ?.children?.[1];
}

function listOf(text: string, node: Node): CommaList {
  const items = (node.children ?? []).map((child): ListItem => ({
    start: child.offset,
    end: child.offset + child.length,
  }));
  const close = node.offset + node.length - 1;
  return { text, open: node.offset + 1, close, items, comments: "slashes" };
}

/** Whether the entry of a value begins its line, so that it may take several. */
function isOnOwnLine(text: string, node: Node): boolean {
  const entry = node.parent?.type === "property" ? node.parent : node;
  return entry.parent === undefined || startsLine(text, entry.offset);
}

function isPlain(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

const DEFAULT_STYLE: JsonStyle = {
  eol: "\n",
  unit: "  ",
  shortArrays: true,
  colon: ": ",
  separator: " ",
  padding: "",
};

/** How a text is written, and how the entries of an object in it. */
function styleOf(text: string, root: Node, list: Node): JsonStyle {
  const property = list.children?.findLast(({ type }) => type === "property") ??
    findNode(root, ({ type }) => type === "property");
  const [key, value] = property?.children ?? [];
  const between = key === undefined || value === undefined
    ? ": "
    : text.slice(key.offset + key.length, value.offset);
  const colon = /^[ \t]*:[ \t]*$/.test(between) ? between : ": ";
  const array = findNode(
    root,
    (node) =>
      node.type === "array" && (node.children?.some(({ type }) => type === "string") ?? false),
  );
  return {
    eol: lineEndOf(text),
    unit: unitOf(text, root),
    shortArrays: array === undefined || !startsLine(text, array.children?.[0]?.offset ?? 0),
    colon,
    separator: colon.endsWith(":") ? "" : " ",
    padding: text[list.offset + 1] === " " ? " " : "",
  };
}

/** One step of indentation: by how much the first entry on a line of its own stands deeper. */
function unitOf(text: string, root: Node): string {
  let unit = "";
  findNode(root, (node) => {
    if (node.type === "property" || node.parent === undefined) return false;
    const entry = node.parent.type === "property" ? node.parent : node;
    const list = entry.parent;
    if (list === undefined || !startsLine(text, entry.offset)) return false;
    const outer = indentAt(text, list.offset);
    const inner = indentAt(text, entry.offset);
    if (inner.startsWith(outer)) unit = inner.slice(outer.length);
    return unit !== "";
  });
  return unit === "" ? DEFAULT_STYLE.unit : unit;
}

/** The first node, from the root down, that a test accepts. */
function findNode(root: Node, test: (node: Node) => boolean): Node | undefined {
  const waiting = [root];
  for (const node of waiting) {
    if (test(node)) return node;
    waiting.push(...node.children ?? []);
  }
  return undefined;
}
