import type { ParsedText } from "../formats/parsed_text.ts";

/** Warnings about keys that are written twice. */
export interface DuplicateWarnings {
  /** Those on the way to the servers. */
  readonly file: readonly string[];
  /** Those of each entry, and in it, by the entry's key. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
}

/** Warns about each key that is written twice and concerns the servers at `key`. */
export function duplicateWarnings(
  document: ParsedText,
  key: readonly string[],
): DuplicateWarnings {
  const file: string[] = [];
  const entries = new Map<string, string[]>();
  for (const { path, place } of document.duplicates) {
    const shared = Math.min(path.length, key.length);
    if (path.slice(0, shared).join("\0") !== key.slice(0, shared).join("\0")) continue;
    const shown = path.slice(path.length > key.length ? key.length : 0).join(".");
    const warning = `"${shown}" is written again at line ${place.line}; the last one counts`;
    const entryKey = path[key.length];
    if (entryKey === undefined) file.push(warning);
    else entries.set(entryKey, [...(entries.get(entryKey) ?? []), warning]);
  }
  return { file, entries };
}
