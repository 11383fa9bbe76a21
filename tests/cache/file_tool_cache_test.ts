import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { fileToolCache } from "../../src/cache/file_tool_cache.ts";
import { memoryToolCache } from "../../src/cache/memory_tool_cache.ts";
import { filesToSweep } from "../../src/cache/sweep_entries.ts";
import { madeEntry, madeTool } from "./made.ts";

const KEY = "ab".repeat(32);
const OTHER = "cd".repeat(32);
const DAY = 24 * 60 * 60 * 1000;

async function withFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await action(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function pathOf(folder: string, key: string): string {
  return join(folder, "servers", `${key}.json`);
}

Deno.test("an entry is found again by its fingerprint, in another process too", () =>
  withFolder(async (folder) => {
    await fileToolCache(folder).set(KEY, madeEntry());
    assert.deepEqual(await fileToolCache(folder).get(KEY), madeEntry());
    assert.equal(await fileToolCache(folder).get(OTHER), null);
  }));

Deno.test("entries are private, folder included [H09]", () =>
  withFolder(async (folder) => {
    await fileToolCache(join(folder, "new")).set(KEY, madeEntry());
    const path = pathOf(join(folder, "new"), KEY);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "new", "servers"))).mode & 0o777, 0o700);
  }));

Deno.test("truncated, garbled, foreign and huge files are misses, and can be written anew [D16]", () =>
  withFolder(async (folder) => {
    const cache = fileToolCache(folder);
    const path = pathOf(folder, KEY);
    await cache.set(KEY, madeEntry());
    await truncate(path, 40);
    assert.equal(await cache.get(KEY), null);
    await writeFile(path, new Uint8Array([0xff, 0xfe, 0, 1]));
    assert.equal(await cache.get(KEY), null);
    await truncate(path, 17 * 1024 * 1024);
    assert.equal(await cache.get(KEY), null);
    await cache.set(KEY, madeEntry());
    await writeFile(pathOf(folder, OTHER), await readFile(path));
    assert.equal(await cache.get(OTHER), null);
    assert.deepEqual(await cache.get(KEY), madeEntry());
  }));

Deno.test("a folder in the place of an entry or of the cache is a miss [D16]", () =>
  withFolder(async (folder) => {
    const cache = fileToolCache(folder);
    assert.equal(await cache.get(KEY), null);
    await mkdir(pathOf(folder, KEY), { recursive: true });
    assert.equal(await cache.get(KEY), null);
    await writeFile(join(folder, "file"), "");
    assert.equal(await fileToolCache(join(folder, "file")).get(KEY), null);
    await assert.rejects(fileToolCache(join(folder, "file")).set(KEY, madeEntry()), {
      code: "write-failed",
    });
  }));

Deno.test("a fingerprint never becomes a path", () =>
  withFolder(async (folder) => {
    const cache = fileToolCache(join(folder, "cache"));
    for (const key of ["../../x", "", "AB".repeat(32), "__proto__"]) {
      assert.equal(await cache.get(key), null);
      await assert.rejects(cache.set(key, madeEntry()), { code: "write-failed" });
    }
    assert.deepEqual(await readdir(folder), []);
  }));

Deno.test("lists beyond the size bound are not kept", () =>
  withFolder(async (folder) => {
    const huge = madeTool("huge", { pad: "é".repeat(9 * 1024 * 1024) });
    await assert.rejects(fileToolCache(folder).set(KEY, madeEntry({ tools: [huge] })), {
      code: "write-failed",
    });
  }));

Deno.test("writes of one entry land in the order they were made [D12]", () =>
  withFolder(async (folder) => {
    const cache = fileToolCache(folder);
    const sets = Array.from({ length: 20 }, (_, readAt) => cache.set(KEY, madeEntry({ readAt })));
    await Promise.all(sets);
    assert.equal((await cache.get(KEY))?.readAt, 19);
  }));

Deno.test("old entries are swept once a day, and nothing else is", () =>
  withFolder(async (folder) => {
    let now = Date.now();
    const cache = fileToolCache(folder, () => now);
    await cache.set(KEY, madeEntry());
    const old = new Date(now - 31 * DAY);
    const foreign = join(folder, "servers", "notes.txt");
    await writeFile(foreign, "");
    for (const path of [pathOf(folder, KEY), foreign]) await utimes(path, old, old);
    await cache.set(OTHER, madeEntry());
    assert.notEqual(await cache.get(KEY), null);
    now += DAY;
    await cache.set(OTHER, madeEntry());
    assert.equal(await cache.get(KEY), null);
    assert.notEqual(await cache.get(OTHER), null);
    assert.equal((await stat(foreign)).isFile(), true);
  }));

Deno.test("the oldest entries go when all together are too large", () => {
  const file = (name: string, writtenAt: number): Parameters<typeof filesToSweep>[0][number] => ({
    name,
    size: 50 * 1024 * 1024,
    writtenAt,
  });
  assert.deepEqual(filesToSweep([file("a.json", 1), file("b.json", 3), file("c.json", 2)], 4), [
    "a.json",
  ]);
  assert.deepEqual(filesToSweep([file("b.json", 3), file("c.json", 2), file("other", 1)], 4), []);
  assert.deepEqual(filesToSweep([file("b.json", 3), file("c.json", 31 * DAY)], 40 * DAY), [
    "b.json",
  ]);
});

Deno.test("the memory cache keeps whole entries, the latest 500", async () => {
  const cache = memoryToolCache();
  for (let index = 0; index <= 500; index++) {
    await cache.set(`k${index}`, madeEntry({ readAt: index }));
  }
  assert.equal(await cache.get("k0"), null);
  assert.equal((await cache.get("k1"))?.readAt, 1);
  await cache.set("k1", madeEntry({ readAt: 7 }));
  await cache.set("k501", madeEntry());
  assert.equal((await cache.get("k1"))?.readAt, 7);
  assert.equal(await cache.get("k2"), null);
});
