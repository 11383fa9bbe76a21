import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { loadKey, secretKey } from "../../src/cache/key_file.ts";

async function withFolder(action: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await action(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a key is made once: 32 bytes in a private file, nothing beside it [H09]", () =>
  withFolder(async (folder) => {
    const path = join(folder, "state", "cache-key");
    const key = await loadKey(path);
    assert.equal(key.length, 32);
    assert.ok(key.some((byte) => byte !== 0));
    assert.match(await readFile(path, "utf8"), /^[0-9a-f]{64}\n$/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "state"))).mode & 0o777, 0o700);
    assert.deepEqual(await loadKey(path), key);
    assert.deepEqual(await readdir(join(folder, "state")), ["cache-key"]);
  }));

Deno.test("processes that make the key at once agree on one", () =>
  withFolder(async (folder) => {
    const path = join(folder, "cache-key");
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadKey(path)));
    const stored = (await readFile(path, "utf8")).trim();
    for (const key of keys) {
      assert.equal(Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join(""), stored);
    }
  }));

Deno.test("a key file that holds something else is replaced", () =>
  withFolder(async (folder) => {
    const path = join(folder, "cache-key");
    for (const text of ["", "short", "z".repeat(64), "ab".repeat(33)]) {
      await writeFile(path, text);
      const key = await loadKey(path);
      assert.match(await readFile(path, "utf8"), /^[0-9a-f]{64}\n$/);
      assert.deepEqual(await loadKey(path), key);
    }
  }));

Deno.test("a key file that others may read is closed to them [H09]", () =>
  withFolder(async (folder) => {
    const path = join(folder, "cache-key");
    const key = await loadKey(path);
    await chmod(path, 0o644);
    assert.deepEqual(await loadKey(path), key);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  }));

Deno.test("where no file can be kept the key lasts as long as the process", () =>
  withFolder(async (folder) => {
    await writeFile(join(folder, "file"), "");
    const blocked = join(folder, "file");
    const key = await secretKey(blocked);
    assert.equal(key.length, 32);
    assert.deepEqual(await secretKey(blocked), key);
    assert.notDeepEqual(await loadKey(join(blocked, "cache-key")), key);
  }));
