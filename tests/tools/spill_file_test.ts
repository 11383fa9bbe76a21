import assert from "node:assert/strict";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { writeSpill } from "../../src/tools/spill_file.ts";

const DAY = 24 * 60 * 60 * 1000;

Deno.test("a spilled text is private, folder included [H09]", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = await writeSpill(join(folder, "cache"), "all of it");
    assert.equal(await readFile(path, "utf8"), "all of it");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("spills of more than seven days go, younger ones and foreign files stay", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const now = Date.now();
    const old = await writeSpill(folder, "old", now);
    const young = await writeSpill(folder, "young", now);
    const foreign = join(dirname(old), "notes.txt");
    await writeFile(foreign, "");
    await utimes(old, new Date(now - 8 * DAY), new Date(now - 8 * DAY));
    await utimes(foreign, new Date(now - 8 * DAY), new Date(now - 8 * DAY));
    await utimes(young, new Date(now - 6 * DAY), new Date(now - 6 * DAY));
    const last = await writeSpill(folder, "new", now);
    assert.deepEqual(
      (await readdir(dirname(old))).sort().map((name) => join(dirname(old), name)),
      [foreign, young, last].sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
