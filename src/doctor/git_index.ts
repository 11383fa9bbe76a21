/** Bytes of an entry before its hash: times, device, inode, mode, owner, size. */
const ENTRY_HEAD = 40;
/** Flag of an entry that has two more bytes of flags. */
const EXTENDED = 0x4000;

/** Bytes of the longest name; a longer one is no path of any system. */
const LONGEST_NAME = 4096;

/** What an index says of some paths. */
export interface GitIndex {
  /** Those of the paths that it lists. */
  readonly listed: ReadonlySet<string>;
  /** Hash in the name of the file that holds the rest of a split index; `null` when it is whole. */
  readonly shared: string | null;
}

/**
 * Reads git's index, version 2 to 4: the list of the files that git tracks. Only names are looked
 * at, and only those asked for are kept, however many a hostile index makes up. Pure.
 * @param wanted Paths relative to the root of the work tree, with `/`.
 * @param hashBytes 20, or 32 in a repository of SHA-256.
 * @returns `null` for what is no index, or one that cannot be understood.
 */
export function parseGitIndex(
  bytes: Uint8Array,
  wanted: ReadonlySet<string>,
  hashBytes: 20 | 32 = 20,
): GitIndex | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 + hashBytes || view.getUint32(0) !== 0x44495243) return null;
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return null;
  try {
    const count = view.getUint32(8);
    const { listed, end } = readEntries(view, { version, count, hashBytes, wanted });
    return { listed, shared: linkedHash(view, end, hashBytes) };
  } catch (thrown) {
    // It ends within an entry.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** @throws {RangeError} When the index is cut short. */
function readEntries(view: DataView, options: {
  readonly version: number;
  readonly count: number;
  readonly hashBytes: number;
  readonly wanted: ReadonlySet<string>;
}): { readonly listed: ReadonlySet<string>; readonly end: number } {
  const { version, count, hashBytes, wanted } = options;
  const listed = new Set<string>();
  const decoder = new TextDecoder();
  // The name before as bytes: version 4 cuts it and adds to it.
  let name: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let at = 12;
  for (let index = 0; index < count; index++) {
    const start = at;
    at += ENTRY_HEAD + hashBytes;
    const isExtended = (view.getUint16(at) & EXTENDED) !== 0;
    at += isExtended ? 4 : 2;
    let kept = 0;
    if (version === 4) {
      const cut = offsetAt(view, at);
      at = cut.end;
      kept = name.length - cut.value;
      if (kept < 0) throw new RangeError("A name is cut below nothing");
    }
    const nameEnd = zeroAt(view, at);
    if (kept + nameEnd - at > LONGEST_NAME) throw new RangeError("A name is too long");
    const added = new Uint8Array(nameEnd - at);
    for (let byte = 0; byte < added.length; byte++) added[byte] = view.getUint8(at + byte);
    const next = new Uint8Array(kept + added.length);
    next.set(name.subarray(0, kept));
    next.set(added, kept);
    name = next;
    const path = decoder.decode(name);
    if (wanted.has(path)) listed.add(path);
    // Older versions fill an entry up to a multiple of eight, with one zero byte at least.
    at = version === 4 ? nameEnd + 1 : start + (Math.floor((nameEnd - start) / 8) + 1) * 8;
  }
  return { listed, end: at };
}

/** Offset of the next zero byte. @throws {RangeError} When there is none. */
function zeroAt(view: DataView, from: number): number {
  let at = from;
  while (view.getUint8(at) !== 0) at++;
  return at;
}

/** A number of git's own variable length, in which each further byte adds one. */
function offsetAt(view: DataView, from: number): { readonly value: number; readonly end: number } {
  let at = from;
  let byte = view.getUint8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = view.getUint8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}

/** The hash of the extension `link`, which names the shared index. */
function linkedHash(view: DataView, from: number, hashBytes: number): string | null {
  let at = from;
  while (at + 8 <= view.byteLength - hashBytes) {
    const size = view.getUint32(at + 4);
    if (view.getUint32(at) === 0x6c696e6b) {
      const hash = Array.from(
        { length: hashBytes },
        (_, index) => view.getUint8(at + 8 + index).toString(16).padStart(2, "0"),
      ).join("");
      return /^0*$/.test(hash) ? null : hash;
    }
    at += 8 + size;
  }
  return null;
}
