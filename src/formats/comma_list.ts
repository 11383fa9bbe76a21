import {
  blanksBefore,
  countEnds,
  endBefore,
  indentAt,
  lineEnd,
  lineStart,
  pastBlanks,
  pastEnd,
  startsLine,
} from "./text_lines.ts";
import { cut, sortPatches, type TextPatch } from "./text_patch.ts";

/** One entry of a list: from its key or value to the end of its value. */
export interface ListItem {
  readonly start: number;
  readonly end: number;
}

/** Entries in brackets with commas: an object or array of JSON, an inline one of TOML or YAML. */
export interface CommaList {
  readonly text: string;
  /** Offset after the opening bracket. */
  readonly open: number;
  /** Offset of the closing bracket. */
  readonly close: number;
  readonly items: readonly ListItem[];
  /** How comments are written: as in JavaScript, or from `#` to the end of the line. */
  readonly comments: "slashes" | "hash";
}

/** How a new entry is written. */
export interface NewItem {
  /** Its text on the line of others. */
  readonly inline: string;
  /** Its text on lines of its own; further lines begin with `indent`. */
  readonly block: (indent: string) => string;
  /** Line end of the text. */
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  /** What stands between a comma and the next entry when nothing shows it. */
  readonly separator: string;
  /** `true`: the first entry of an empty list gets a line of its own. */
  readonly wrap: boolean;
  /** What stands inside of the brackets around the first entry on a line of others. Default: nothing. */
  readonly padding?: string;
}

/** Adds an entry after the last one. */
export function addToList(list: CommaList, item: NewItem): readonly TextPatch[] {
  const { text, items } = list;
  const last = items.at(-1);
  if (last === undefined) return addFirst(list, item);
  const token = pastTrivia(list, last.end);
  const trailing = text[token] === ",";
  const after = trailing ? token + 1 : last.end;
  const rest = restOfLine(list, after);
  const comma = trailing ? [] : [{ offset: last.end, length: 0, text: "," }];
  const tail = trailing ? "," : "";
  if (startsLine(text, last.start)) {
    const indent = indentAt(text, last.start);
    const offset = rest.atEnd ? rest.end : rest.commentEnd;
    const added = `${item.eol}${indent}${item.block(indent)}${tail}`;
    return sortPatches([...comma, { offset, length: 0, text: added }]);
  }
  if (rest.atEnd && rest.commentEnd > after) {
    // What follows a comment on its line would be part of it.
    const indent = indentAt(text, last.start) + item.unit;
    const added = `${item.eol}${indent}${item.block(indent)}${tail}`;
    return sortPatches([...comma, { offset: rest.end, length: 0, text: added }]);
  }
  const added = separatorOf(list) ?? item.separator;
  const offset = rest.commentEnd;
  return sortPatches([...comma, { offset, length: 0, text: `${added}${item.inline}${tail}` }]);
}

function addFirst(list: CommaList, item: NewItem): readonly TextPatch[] {
  const { text, open, close } = list;
  const base = indentAt(text, open - 1);
  const indent = base + item.unit;
  const inner = text.slice(open, close);
  const comment = lastCommentEnd(list, open);
  if (comment !== null) {
    const onOwn = item.wrap || countEnds(inner) > 0;
    const added = onOwn ? `${item.eol}${indent}${item.block(indent)}` : ` ${item.inline}`;
    const rest = restOfLine(list, comment);
    return [{ offset: onOwn && rest.atEnd ? rest.end : comment, length: 0, text: added }];
  }
  // The line end that is there stays as a blank line, so that a removal can tell `{}` from it.
  if (countEnds(inner) > 0) {
    const added = `${item.eol}${indent}${item.block(indent)}${item.eol}`;
    return [{ offset: open, length: 0, text: added }];
  }
  if (!item.wrap) {
    const padding = inner === "" ? item.padding ?? "" : "";
    return [{ offset: close, length: 0, text: `${padding}${item.inline}${padding}` }];
  }
  const added = `${item.eol}${indent}${item.block(indent)}${item.eol}${base}`;
  return [{ offset: close, length: 0, text: added }];
}

/**
 * Removes an entry with its comma and the comment after it on its line. Undoes `addToList`.
 */
export function removeFromList(list: CommaList, index: number): readonly TextPatch[] {
  const { text, items } = list;
  const item = items[index];
  if (item === undefined) return [];
  if (items.length === 1) return removeOnly(list, item);
  const previous = items[index - 1];
  const isLast = index === items.length - 1;
  const token = pastTrivia(list, item.end);
  const hasComma = text[token] === ",";
  const patches: TextPatch[] = [];
  let after = hasComma ? token + 1 : item.end;
  if (hasComma && countEnds(text.slice(item.end, token)) > 0) {
    patches.push(cut(token, token + 1));
    after = item.end;
  }
  if (!hasComma && isLast && previous !== undefined) {
    const comma = pastTrivia(list, previous.end);
    if (text[comma] === ",") patches.push(cut(comma, comma + 1));
  }
  const rest = restOfLine(list, after);
  const nextOnLine = !rest.atEnd && !isLast && patches.length === 0;
  if (nextOnLine) {
    patches.push(cut(item.start, pastBlanks(text, after)));
  } else if (startsLine(text, item.start)) {
    patches.push(cutLines(list, previous?.end ?? list.open, item, rest));
  } else {
    const start = index === 0 ? item.start : blanksBefore(text, item.start);
    patches.push(cut(start, rest.commentEnd));
  }
  return sortPatches(patches);
}

/** Removes the only entry, so that an empty list stays. */
function removeOnly(list: CommaList, item: ListItem): readonly TextPatch[] {
  const { text, open, close } = list;
  const token = pastTrivia(list, item.end);
  const rest = restOfLine(list, text[token] === "," ? token + 1 : item.end);
  const before = text.slice(open, item.start);
  if (!startsLine(text, item.start)) {
    const after = text.slice(rest.commentEnd, close);
    const commented = before.trim() !== "";
    const padded = before !== "" && after !== "" && after.trim() === "" && countEnds(after) === 0;
    if (!commented && padded) return [cut(open, close)];
    return [cut(commented ? blanksBefore(text, item.start) : item.start, rest.commentEnd)];
  }
  const start = endOfPrevious(text, item.start);
  const end = rest.atEnd ? rest.end : rest.commentEnd;
  const after = text.slice(end, close);
  if (before.trim() !== "" || after.trim() !== "") return [cutLines(list, open, item, rest)];
  const ends = countEnds(after);
  if (ends === 1) return [cut(start, close)];
  return [cut(start, ends === 0 ? end : pastEnd(text, end))];
}

/** Cuts the lines of an entry, with the line end before them where that can go. */
function cutLines(list: CommaList, from: number, item: ListItem, rest: Rest): TextPatch {
  if (rest.atEnd) return cut(endOfPrevious(list.text, item.start), rest.end);
  const start = endOfPrevious(list.text, item.start);
  for (let at = from; at < start; at++) {
    // What would follow a comment on its line would be part of it.
    const past = pastComment(list, at);
    if (past >= start && !list.text.startsWith("/*", at)) return cut(item.start, rest.commentEnd);
    if (past > at) at = past - 1;
  }
  return cut(start, rest.commentEnd);
}

/** Offset of the line end before the line of an offset. */
function endOfPrevious(text: string, offset: number): number {
  return endBefore(text, lineStart(text, offset));
}

/** What stands between the last comma and the entry after it, when it is on one line. */
function separatorOf(list: CommaList): string | null {
  const [one, other] = list.items.slice(-2);
  if (one === undefined || other === undefined) return null;
  const comma = pastTrivia(list, one.end);
  if (list.text[comma] !== ",") return null;
  const between = list.text.slice(comma + 1, other.start);
  return /^[ \t]*$/.test(between) ? between : null;
}

/** Offset of the first thing at or after an offset that is neither white space nor a comment. */
function pastTrivia(list: CommaList, offset: number): number {
  let at = offset;
  while (at < list.text.length) {
    const past = pastComment(list, at);
    if (past > at) at = past;
    else if (/\s/.test(list.text[at] ?? "")) at++;
    else break;
  }
  return at;
}

/** Offset after the comment that begins at an offset; the offset itself when none does. */
function pastComment({ text, comments }: CommaList, offset: number): number {
  if (comments === "hash") return text[offset] === "#" ? lineEnd(text, offset) : offset;
  if (text.startsWith("//", offset)) return lineEnd(text, offset);
  if (!text.startsWith("/*", offset)) return offset;
  const end = text.indexOf("*/", offset + 2);
  return end < 0 ? text.length : end + 2;
}

/** What follows an offset on its line. */
interface Rest {
  /** Offset after the comments and blanks. */
  readonly end: number;
  /** Offset after the comments; the offset itself without any. */
  readonly commentEnd: number;
  /** Whether nothing else stands on the line. */
  readonly atEnd: boolean;
}

/** The comments and blanks after an offset on its line. */
function restOfLine(list: CommaList, offset: number): Rest {
  let commentEnd = offset;
  let at = pastBlanks(list.text, offset);
  for (let past = pastComment(list, at); past > at; past = pastComment(list, at)) {
    commentEnd = past;
    at = pastBlanks(list.text, past);
  }
  return { end: at, commentEnd, atEnd: at === lineEnd(list.text, at) };
}

/** Offset after the last comment in an empty list; `null` when it has none. */
function lastCommentEnd(list: CommaList, open: number): number | null {
  let found: number | null = null;
  let at = open;
  while (at < list.close) {
    const past = pastComment(list, at);
    if (past > at) found = past;
    at = Math.max(past, at + 1);
  }
  return found;
}
