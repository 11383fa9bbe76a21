import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRacy, signNow, signOf } from "../../src/cli/disk_sign.ts";
import { factsOf, namesIn, realPathOf } from "../../src/platform/local_files.ts";
import { type Look, recordLooks } from "../../src/platform/looks.ts";
import { readTextFile } from "../../src/platform/text_file.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hotplug-sign-"));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The looks of an action. */
async function looksOf(action: () => unknown): Promise<readonly Look[]> {
  const end = recordLooks();
  try {
    await action();
  } finally {
    end();
  }
  return end().looks;
}

Deno.test("a look signs what a second look finds, while nothing changes", async () => {
  await inFolder(async (folder) => {
    const file = join(folder, "file");
    const link = join(folder, "link");
    await writeFile(file, "text");
    await symlink(file, link);
    const looks = await looksOf(async () => {
      for (const path of [file, link, folder, join(folder, "absent"), join(file, "below")]) {
        factsOf(path);
        realPathOf(path);
        await readTextFile(path, { ownerUid: Deno.uid() });
      }
    });
    assert.ok(looks.some(({ how }) => how === "link"), "links themselves were looked at");
    assert.ok(looks.length >= 15, String(looks.length));
    for (const look of looks) {
      assert.equal(signNow(look.how, look.path), signOf(look), `${look.how} ${look.path}`);
    }
  });
});

Deno.test("a link that leads elsewhere has another sign, to a file of the same text too", async () => {
  await inFolder(async (folder) => {
    const link = join(folder, "link");
    for (const name of ["a", "b"]) await writeFile(join(folder, name), "text");
    await symlink("a", link);
    const before = [signNow("stat", link), signNow("real", link)];
    await rm(link);
    await symlink("b", link);
    assert.notEqual(signNow("stat", link), before[0]);
    assert.notEqual(signNow("real", link), before[1]);
  });
});

Deno.test("what is put into a folder does not change its sign; another folder does", async () => {
  await inFolder(async (folder) => {
    const inner = join(folder, "inner");
    await mkdir(inner);
    const before = signNow("stat", inner);
    await writeFile(join(inner, "file"), "");
    await utimes(inner, 1, 1);
    assert.equal(signNow("stat", inner), before);
    await mkdir(join(folder, "other"));
    await rm(inner, { recursive: true });
    assert.notEqual(signNow("stat", inner), before);
    await mkdir(inner, { mode: 0o700 });
    assert.notEqual(signNow("stat", inner), before);
  });
});

Deno.test("a folder that was listed has another sign once something is put into it", async () => {
  await inFolder(async (folder) => {
    const inner = join(folder, "inner");
    const [absent] = await looksOf(() => namesIn(inner));
    assert.ok(absent !== undefined);
    assert.equal(signNow("list", inner), signOf(absent));
    await mkdir(inner);
    assert.notEqual(signNow("list", inner), signOf(absent));
    await writeFile(join(inner, "b"), "");
    await writeFile(join(inner, "a"), "");
    assert.deepEqual(namesIn(inner), ["a", "b"]);
    const [two] = await looksOf(() => namesIn(inner));
    assert.ok(two !== undefined);
    assert.equal(signNow("list", inner), signOf(two));
    await rm(join(inner, "a"));
    assert.notEqual(signNow("list", inner), signOf(two));
  });
});

Deno.test("what cannot be told is not taken for absent", async () => {
  await inFolder(async (folder) => {
    await symlink("loop", join(folder, "loop"));
    assert.equal(signNow("stat", join(folder, "absent")), "-");
    assert.notEqual(signNow("stat", join(folder, "loop")), "-");
    const [look] = await looksOf(() => factsOf(join(folder, "loop")));
    assert.ok(look !== undefined);
    assert.notEqual(signNow(look.how, look.path), signOf(look));
  });
});

Deno.test("a file younger than two seconds is racy, a folder never", async () => {
  await inFolder(async (folder) => {
    const file = join(folder, "file");
    await writeFile(file, "text");
    const [young, place] = await looksOf(() => [factsOf(file), factsOf(folder)]);
    assert.ok(young !== undefined && place !== undefined);
    const now = Date.now();
    assert.equal(isRacy(young, now), true);
    assert.equal(isRacy(young, now + 5_000), false);
    assert.equal(isRacy(place, now), false);
    // Its text may be older than its place here.
    await utimes(file, 1, 1);
    const [moved] = await looksOf(() => factsOf(file));
    assert.ok(moved !== undefined);
    assert.equal(isRacy(moved, now), true);
  });
});

Deno.test("a record that has ended takes no more looks", () => {
  const end = recordLooks();
  factsOf("/");
  const { looks } = end();
  factsOf("/");
  assert.equal(looks.length, 1);
});
