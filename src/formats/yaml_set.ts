import { isScalar, type Node } from "yaml";
import type { JsonValue } from "../model/json.ts";
import { EditRefusal } from "./edit_refusal.ts";
import { blanksBefore, endBefore, lineEnd, lineStart } from "./text_lines.ts";
import { cut, sortPatches, type TextPatch } from "./text_patch.ts";
import {
  isBlockValue,
  printFlow,
  printLines,
  printText,
  stepOf,
  type YamlStyle,
} from "./yaml_print.ts";
import { columnOf } from "./yaml_style.ts";
import {
  endOf,
  isBlockText,
  isEmpty,
  listOf,
  startOf,
  type YamlItem,
  type YamlSpot,
} from "./yaml_tree.ts";

/** Where an old value stands. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Puts a value in the place of another. */
export function setYamlValue(
  text: string,
  { value: old, item, list }: YamlSpot,
  value: JsonValue,
  style: YamlStyle,
): readonly TextPatch[] {
  const isBlock = list?.isFlow !== true && isBlockValue(value, style);
  if (old === null || isEmpty(old)) return fillEmpty(text, item, value, isBlock, style);
  const oldList = listOf(old, text);
  const span = { start: oldList?.start ?? startOf(old), end: endOf(old, text) };
  const head = list?.isFlow === true ? null : item?.head ?? null;
  const below = head !== null && isLater(text, head, span.start);
  if (isBlock && item !== null && item.key !== null && head !== null) {
    return putBelow(text, item, head, old, span, value, style);
  }
  if (isBlock) {
    return replaceSpan(text, old, span, printLines(value, columnOf(text, span.start), style));
  }
  if (!below || oldList === null || oldList.isFlow) {
    return replaceSpan(text, old, span, printOver(old, value));
  }
  return sortPatches([
    { offset: head, length: 0, text: ` ${printFlow(value)}` },
    cut(lineEnd(text, head), lineEnd(text, span.end)),
  ]);
}

/** Replaces a value where it stands; a comment after `|` or `>` stays. */
function replaceSpan(text: string, old: Node, span: Span, printed: string): readonly TextPatch[] {
  if (!isBlockText(old)) {
    return [{ offset: span.start, length: span.end - span.start, text: printed }];
  }
  const header = /^[|>][-+\d]*/.exec(text.slice(span.start))?.[0].length ?? 1;
  return sortPatches([
    { offset: span.start, length: header, text: printed },
    cut(lineEnd(text, span.start), span.end),
  ]);
}

/** Puts a value of several lines below its key, in the place of one of any kind. */
function putBelow(
  text: string,
  item: YamlItem,
  head: number,
  old: Node,
  span: Span,
  value: JsonValue,
  style: YamlStyle,
): readonly TextPatch[] {
  const column = columnOf(text, item.start) + stepOf(value, style);
  const added = `${style.eol}${" ".repeat(column)}${printLines(value, column, style)}`;
  if (isLater(text, head, span.start)) {
    const start = endBefore(text, lineStart(text, span.start));
    return [{ offset: start, length: lineEnd(text, span.end) - start, text: added }];
  }
  if (isBlockText(old)) {
    const [first, ...rest] = replaceSpan(text, old, span, "");
    if (first === undefined) return [];
    const gap = blanksBefore(text, first.offset);
    const end = rest[0] ?? { offset: lineEnd(text, span.end), length: 0 };
    return sortPatches([cut(gap, first.offset + first.length), { ...end, text: added }]);
  }
  return sortPatches([
    cut(head, span.end),
    { offset: lineEnd(text, span.end), length: 0, text: added },
  ]);
}

/** Writes a value where nothing is written. */
function fillEmpty(
  text: string,
  item: YamlItem | null,
  value: JsonValue,
  isBlock: boolean,
  style: YamlStyle,
): readonly TextPatch[] {
  if (item === null) throw new EditRefusal("expected a value to replace", null);
  if (item.head === null) {
    const printed = item.key === null ? printFlow(value) : `: ${printFlow(value)}`;
    return [{ offset: item.end, length: 0, text: printed }];
  }
  if (!isBlock) return [{ offset: item.head, length: 0, text: ` ${printFlow(value)}` }];
  if (item.key === null) {
    const column = columnOf(text, item.start) + 2;
    return [{ offset: item.head, length: 0, text: ` ${printLines(value, column, style)}` }];
  }
  const column = columnOf(text, item.start) + stepOf(value, style);
  const added = `${style.eol}${" ".repeat(column)}${printLines(value, column, style)}`;
  return [{ offset: lineEnd(text, item.head), length: 0, text: added }];
}

/** A value on one line; a text keeps the quotes of the one before it. */
function printOver(old: Node, value: JsonValue): string {
  if (typeof value !== "string" || !isScalar(old)) return printFlow(value);
  if (old.type === "QUOTE_SINGLE") return printText(value, "single");
  return printText(value, old.type === "QUOTE_DOUBLE" ? "double" : null);
}

/** Whether an offset stands on a later line than another. */
function isLater(text: string, head: number, offset: number): boolean {
  return lineStart(text, offset) > head;
}
