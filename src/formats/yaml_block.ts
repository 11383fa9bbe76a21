import { isJsonObject, type JsonValue } from "../model/json.ts";
import { endBefore, lineEnd, lineStart, pastEnd, startsLine } from "./text_lines.ts";
import { cut, sortPatches, type TextPatch } from "./text_patch.ts";
import { stepOf, type YamlStyle } from "./yaml_print.ts";
import { columnOf } from "./yaml_style.ts";
import type { YamlItem, YamlList, YamlSpot } from "./yaml_tree.ts";

/** Writes an entry whose lines begin at a column. */
export type WriteEntry = (column: number) => string;

/** Adds an entry on lines of its own after the last one. */
export function addToBlock(
  text: string,
  list: YamlList,
  write: WriteEntry,
  style: YamlStyle,
): readonly TextPatch[] {
  const column = columnOf(text, list.start);
  const dash = list.isMap ? "" : "- ";
  const added = `${style.eol}${" ".repeat(column)}${dash}${write(column)}`;
  return [{ offset: lineEnd(text, list.end), length: 0, text: added }];
}

/**
 * Writes the first entry of `{}` or `[]` on lines of its own, so that a removal can undo it;
 * `null` where it is better put in the brackets.
 */
export function openBlock(
  text: string,
  list: YamlList,
  { item, list: outer }: YamlSpot,
  value: JsonValue,
  write: WriteEntry,
  style: YamlStyle,
): readonly TextPatch[] | null {
  const { start, end, isMap: isObject } = list;
  if (end - start !== 2 || outer?.isFlow === true || (!isObject && !isJsonObject(value))) {
    return null;
  }
  const dash = isObject ? "" : "- ";
  const rest = text.slice(end, lineEnd(text, end));
  if (item === null || item.key === null) {
    const isInPlace = item === null
      ? start === lineStart(text, start)
      : item.head !== null && start === item.head + 1 && startsLine(text, item.start);
    const entry = dash + write(columnOf(text, start));
    if (!isInPlace || (rest !== "" && /[\r\n]/.test(entry))) return null;
    return [{ offset: start, length: 2, text: entry }];
  }
  if (item.head === null || start !== item.head + 1 || text[item.head] !== " ") return null;
  const column = columnOf(text, item.start) + stepOf(isObject ? {} : [], style);
  const added = `${style.eol}${" ".repeat(column)}${dash}${write(column)}`;
  return sortPatches([
    { offset: item.head, length: 3, text: "" },
    { offset: lineEnd(text, end), length: 0, text: added },
  ]);
}

/**
 * Removes an entry with its lines and the comment after it. Undoes the two functions above; the
 * last one leaves empty brackets.
 *
 * @param holder The entry whose value the list is; `null` at the root.
 */
export function removeFromBlock(
  text: string,
  list: YamlList,
  index: number,
  holder: YamlItem | null,
): readonly TextPatch[] {
  const item = list.items[index];
  if (item === undefined) return [];
  const end = lineEnd(text, item.end);
  const isOwn = startsLine(text, item.start);
  if (list.items.length === 1) {
    const brackets = list.isMap ? "{}" : "[]";
    const head = holder?.head ?? null;
    if (!isOwn || head === null || lineStart(text, item.start) < head) {
      return [{ offset: item.start, length: item.end - item.start, text: brackets }];
    }
    return sortPatches([
      { offset: head, length: 0, text: ` ${brackets}` },
      cut(endBefore(text, lineStart(text, item.start)), end),
    ]);
  }
  const next = list.items[index + 1];
  if (!isOwn) {
    const isNear = next !== undefined && text.slice(end, next.start).trim() === "";
    return [cut(item.start, isNear ? next.start : end)];
  }
  const start = lineStart(text, item.start);
  return [start === 0 ? cut(0, pastEnd(text, end)) : cut(endBefore(text, start), end)];
}
