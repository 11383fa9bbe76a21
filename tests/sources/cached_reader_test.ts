import assert from "node:assert/strict";
import { cachedReader } from "../../src/sources/cached_reader.ts";

Deno.test("a path is opened once, also by readers at the same time", async () => {
  const opened: string[] = [];
  const read = cachedReader(null, (path) => {
    opened.push(path);
    return Promise.resolve({ state: "loaded", path, text: `${opened.length}`, notes: [] });
  });
  const [first, second] = await Promise.all([read("/a"), read("/a")]);
  assert.equal(first, second);
  assert.equal(await read("/a"), first);
  await read("/b");
  assert.deepEqual(opened, ["/a", "/b"]);
});

Deno.test("a check of the owner is never answered by a read without one", async () => {
  const owners: (number | null | undefined)[] = [];
  const read = cachedReader(null, (path, options) => {
    owners.push(options?.ownerUid);
    return Promise.resolve({ state: "absent", path });
  });
  await read("/a");
  await read("/a", { ownerUid: 0 });
  await read("/a", { ownerUid: 1000 });
  assert.deepEqual(owners, [undefined, 0, 1000]);
});

Deno.test("what the index knows to be absent is not read", async () => {
  const read = cachedReader(
    { isAbsent: (path) => path === "/a" },
    (path) => Promise.resolve({ state: "loaded", path, text: "", notes: [] }),
  );
  assert.equal((await read("/a")).state, "absent");
  assert.equal((await read("/b")).state, "loaded");
});
