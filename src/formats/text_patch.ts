/** One replacement in a text. Offsets and lengths count UTF-16 units. */
export interface TextPatch {
  /** Where the replaced part begins. */
  readonly offset: number;
  /** How long the replaced part is; 0 inserts. */
  readonly length: number;
  /** What stands there afterwards. */
  readonly text: string;
}

/**
 * The text with patches applied. They must be sorted and must not overlap, as those of `editText`
 * are. Throws a `RangeError` otherwise.
 */
export function applyPatches(text: string, patches: readonly TextPatch[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { offset, length, text: inserted } of patches) {
    if (offset < at || offset + length > text.length) {
      throw new RangeError("The patches overlap or lie outside of the text");
    }
    parts.push(text.slice(at, offset), inserted);
    at = offset + length;
  }
  return parts.join("") + text.slice(at);
}

/** The patches that turn the patched text back into `text`, to the byte. */
export function inversePatches(
  text: string,
  patches: readonly TextPatch[],
): readonly TextPatch[] {
  let shift = 0;
  return patches.map(({ offset, length, text: inserted }) => {
    const inverse: TextPatch = {
      offset: offset + shift,
      length: inserted.length,
      text: text.slice(offset, offset + length),
    };
    shift += inserted.length - length;
    return inverse;
  });
}

/** The patch that removes what stands between two offsets. */
export function cut(start: number, end: number): TextPatch {
  return { offset: start, length: Math.max(end - start, 0), text: "" };
}

/** Patches in order, those that touch each other made one. They must not overlap. */
export function sortPatches(patches: readonly TextPatch[]): readonly TextPatch[] {
  const sorted: TextPatch[] = [];
  for (const patch of patches.toSorted((a, b) => a.offset - b.offset)) {
    const last = sorted.at(-1);
    if (last === undefined || last.offset + last.length < patch.offset) {
      sorted.push(patch);
      continue;
    }
    sorted[sorted.length - 1] = {
      offset: last.offset,
      length: Math.max(last.length, patch.offset + patch.length - last.offset),
      text: last.text + patch.text,
    };
  }
  return sorted.filter(({ length, text }) => length > 0 || text !== "");
}
