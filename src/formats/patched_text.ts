import { applyPatches, sortPatches, type TextPatch } from "./text_patch.ts";

/** A part of a patched text: a span of the original, or something new. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

/** A text that is patched several times, which knows the one set of patches that does the same. */
export class PatchedText {
  readonly #original: string;
  #pieces: readonly Piece[];
  #text: string;

  constructor(original: string) {
    this.#original = original;
    this.#text = original;
    this.#pieces = [{ start: 0, end: original.length }];
  }

  /** The text as it is now. */
  get text(): string {
    return this.#text;
  }

  /** Applies patches whose offsets are those of the present text. */
  apply(patches: readonly TextPatch[]): void {
    for (const patch of patches.toReversed()) {
      const before = slicePieces(this.#pieces, 0, patch.offset);
      const after = slicePieces(this.#pieces, patch.offset + patch.length, this.#text.length);
      const inserted = patch.text === "" ? [] : [{ text: patch.text }];
      this.#pieces = [...before, ...inserted, ...after];
      this.#text = applyPatches(this.#text, [patch]);
    }
  }

  /** The patches that lead from the original to the present text, sorted. */
  patches(): readonly TextPatch[] {
    const patches: TextPatch[] = [];
    let at = 0;
    let text = "";
    const flush = (start: number): void => {
      if (start > at || text !== "") patches.push(this.#shrunk(at, start, text));
      text = "";
    };
    for (const piece of this.#pieces) {
      if ("text" in piece) {
        text += piece.text;
      } else {
        flush(piece.start);
        at = piece.end;
      }
    }
    flush(this.#original.length);
    return sortPatches(patches);
  }

  /** A patch without the beginning and end that it leaves as they are. */
  #shrunk(start: number, end: number, text: string): TextPatch {
    const old = this.#original.slice(start, end);
    const most = Math.min(old.length, text.length);
    let head = 0;
    while (head < most && old[head] === text[head]) head++;
    // A pair of surrogates stays together.
    if (/[\ud800-\udbff]/.test(old[head - 1] ?? "")) head--;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
    if (/[\udc00-\udfff]/.test(old.at(-tail) ?? "")) tail = Math.max(tail - 1, 0);
    return {
      offset: start + head,
      length: old.length - head - tail,
      text: text.slice(head, text.length - tail),
    };
  }
}

/** The pieces between two offsets of the text that they make. */
function slicePieces(pieces: readonly Piece[], from: number, to: number): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = "text" in piece ? piece.text.length : piece.end - piece.start;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    if (start < end) {
      found.push(
        "text" in piece
          ? { text: piece.text.slice(start, end) }
          : { start: piece.start + start, end: piece.start + end },
      );
    }
    at += length;
  }
  return found;
}
