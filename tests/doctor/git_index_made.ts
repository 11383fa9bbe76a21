/** Git's index, version 2, that lists these paths; nothing in it but their names is true. */
export function madeGitIndex(paths: readonly string[]): Uint8Array<ArrayBuffer> {
  const entries = [...paths].sort().map((path) => {
    const name = new TextEncoder().encode(path);
    const head = 62;
    const entry = new Uint8Array(Math.floor((head + name.length) / 8 + 1) * 8);
    new DataView(entry.buffer).setUint16(60, name.length);
    entry.set(name, head);
    return entry;
  });
  const size = entries.reduce((sum, { length }) => sum + length, 12 + 20);
  const index = new Uint8Array(size);
  const view = new DataView(index.buffer);
  index.set(new TextEncoder().encode("DIRC"));
  view.setUint32(4, 2);
  view.setUint32(8, entries.length);
  let at = 12;
  for (const entry of entries) {
    index.set(entry, at);
    at += entry.length;
  }
  return index;
}
