import type { ToolContent } from "../model/tool.ts";

/** Content with its texts cut to a number of bytes. */
export interface CappedContent {
  /** What fits; pictures are kept. */
  readonly content: readonly ToolContent[];
  /** The whole text, blocks parted by a blank line; `null` when nothing was cut. */
  readonly whole: string | null;
  /** Bytes of text kept. */
  readonly kept: number;
  /** Bytes of text in all. */
  readonly total: number;
}

/**
 * Cuts the texts of a result, taken together, to a number of UTF-8 bytes. The beginning stays; no
 * character is split.
 */
export function capText(content: readonly ToolContent[], maxBytes: number): CappedContent {
  const texts = content.flatMap((piece) => piece.type === "text" ? [piece.text] : []);
  const total = texts.reduce((sum, text) => sum + byteLength(text), 0);
  if (total <= maxBytes) return { content, whole: null, kept: total, total };
  const encoder = new TextEncoder();
  const room = new Uint8Array(maxBytes);
  let kept = 0;
  const capped = content.flatMap((piece): readonly ToolContent[] => {
    if (piece.type !== "text") return [piece];
    if (kept >= maxBytes) return [];
    const { read, written } = encoder.encodeInto(piece.text, room.subarray(0, maxBytes - kept));
    // A piece that was cut ends the text, even when a byte or two are left.
    kept = read < piece.text.length ? maxBytes : kept + written;
    return read === 0 ? [] : [{ type: "text", text: piece.text.slice(0, read) }];
  });
  return { content: capped, whole: texts.join("\n\n"), kept, total };
}

/** Bytes of a text in UTF-8, without making them. */
function byteLength(text: string): number {
  // deno-lint-ignore no-control-regex -- the class is all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(unit, text.charCodeAt(index + 1))) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}
