/** Whether a character ends a line. */
function isEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

/** Offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isEnd(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Offset of the line end after an offset, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isEnd(text.charCodeAt(at))) at++;
  return at;
}

/** Offset of the line end (CR LF, LF or a lone CR) that stands before a line's start. */
export function endBefore(text: string, start: number): number {
  if (text.startsWith("\r\n", start - 2)) return start - 2;
  return Math.max(start - 1, 0);
}

/** Offset after the line end that stands at an offset; the offset itself when none does. */
export function pastEnd(text: string, offset: number): number {
  if (text.startsWith("\r\n", offset)) return offset + 2;
  return offset < text.length && isEnd(text.charCodeAt(offset)) ? offset + 1 : offset;
}

/** The white space that begins the line of an offset. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? "";
}

/** Whether nothing but white space stands before an offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** Offset of the first of the spaces and tabs that stand directly before an offset. */
export function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

/** Offset after the spaces and tabs that stand at an offset. */
export function pastBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** How many line ends a text holds. */
export function countEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** The line end that a text uses: its first one; LF when it has none. */
export function lineEndOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
}
