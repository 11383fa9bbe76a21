import assert from "node:assert/strict";
import { lchown, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { readTextFile, type TextFile } from "../../src/platform/text_file.ts";
import { withTempFolder } from "./real_processes.ts";

Deno.test("a UTF-8 file is read, with and without a byte order mark", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, '{"ä":"😀"}');
    assert.deepEqual(await readTextFile(path), {
      state: "loaded",
      path,
      text: '{"ä":"😀"}',
      notes: [],
    });
    await writeFile(path, '\ufeff{"ä":1}');
    assert.equal(textOf(await readTextFile(path)), '{"ä":1}');
    await writeFile(path, "");
    assert.equal(textOf(await readTextFile(path)), "");
    await writeFile(path, "{");
    assert.equal(textOf(await readTextFile(path)), "{");
  });
});

Deno.test("UTF-16 is read and named, with and without a byte order mark", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a.json");
    for (
      const [name, mark] of [["UTF-16 LE", "\ufeff"], ["UTF-16 BE", "\ufeff"], ["UTF-16 LE", ""], [
        "UTF-16 BE",
        "",
      ]] as const
    ) {
      const bytes = Buffer.from(`${mark}{"ä":"😀"}`, "utf16le");
      await writeFile(path, name === "UTF-16 BE" ? bytes.swap16() : bytes);
      const file = await readTextFile(path);
      assert.equal(textOf(file), '{"ä":"😀"}');
      assert.deepEqual(file.state === "loaded" && file.notes, [
        `The file is ${name}; save it as UTF-8, which every program reads`,
      ]);
    }
  });
});

Deno.test("bytes that are not UTF-8 are replaced and noted", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, Uint8Array.from([0x7b, 0x7d, 0x20, 0xff]));
    const file = await readTextFile(path);
    assert.equal(textOf(file), "{} \ufffd");
    assert.deepEqual(file.state === "loaded" && file.notes, [
      "The file holds bytes that are not UTF-8; they were replaced",
    ]);
  });
});

Deno.test("a file that is not there is absent, also below a file", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "none.json");
    assert.deepEqual(await readTextFile(path), { state: "absent", path });
    await writeFile(path, "{}");
    const below = join(path, "mcp.json");
    assert.deepEqual(await readTextFile(below), { state: "absent", path: below });
    const dangling = join(folder, "dangling");
    await symlink("nowhere", dangling);
    assert.equal((await readTextFile(dangling)).state, "absent");
  });
});

Deno.test("a folder in the place of a file is unreadable, not absent [A43]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, ".mcp.json");
    await mkdir(path);
    assertUnreadable(await readTextFile(path), `Cannot read "${path}": it is a folder`);
  });
});

Deno.test("a failure of the disk is unreadable, not absent [A43]", async () => {
  const file = await readTextFile("/proc/self/mem");
  assert.equal(file.state, "unreadable");
});

Deno.test("links that lead to each other make one file unreadable [A42]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, ".mcp.json");
    await symlink("other", path);
    await symlink(".mcp.json", join(folder, "other"));
    assertUnreadable(
      await readTextFile(path),
      `Cannot read "${path}": its links lead to each other (ELOOP)`,
    );
  });
});

Deno.test("a named pipe and a device are not waited for [A43]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "pipe");
    await new Deno.Command("mkfifo", { args: [path] }).output();
    assertUnreadable(await readTextFile(path), `Cannot read "${path}": it is not a regular file`);
    assertUnreadable(
      await readTextFile("/dev/zero"),
      'Cannot read "/dev/zero": it is not a regular file',
    );
  });
});

Deno.test("a file over the limit is unreadable, one at the limit is read", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "12345");
    assert.equal(textOf(await readTextFile(path, { maxBytes: 5 })), "12345");
    assertUnreadable(
      await readTextFile(path, { maxBytes: 4 }),
      `Cannot read "${path}": it is larger than 4 bytes`,
    );
  });
});

Deno.test("a config of megabytes is read whole [A44]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, ".claude.json");
    const text = JSON.stringify({ projects: "x".repeat(3_000_000) });
    await writeFile(path, text);
    assert.equal(textOf(await readTextFile(path)).length, text.length);
  });
});

Deno.test("a file of another user is unreadable where the owner counts", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, ".mcp.json");
    await writeFile(path, "{}");
    const { uid } = await stat(path);
    assert.equal((await readTextFile(path, { ownerUid: uid })).state, "loaded");
    assert.equal((await readTextFile(path, { ownerUid: null })).state, "loaded");
    assertUnreadable(
      await readTextFile(path, { ownerUid: uid + 1 }),
      `Cannot read "${path}": it belongs to another user`,
    );
  });
});

Deno.test({
  name: "a link of another user to a file of ours is unreadable where the owner counts",
  // Only root can give a link away.
  ignore: Deno.uid() !== 0,
  fn: () =>
    withTempFolder(async (folder) => {
      const path = join(folder, ".mcp.json");
      await writeFile(join(folder, "mine"), "{}");
      await symlink("mine", path);
      assert.equal((await readTextFile(path, { ownerUid: 0 })).state, "loaded");
      await lchown(path, 12_345, 12_345);
      assert.equal((await readTextFile(path, { ownerUid: 0 })).state, "unreadable");
    }),
});

Deno.test("a path that no file can have is unreadable", async () => {
  assert.equal((await readTextFile("/tmp/a\0b")).state, "unreadable");
  assert.equal((await readTextFile(`/tmp/${"x".repeat(5_000)}`)).state, "unreadable");
});

function textOf(file: TextFile): string {
  return file.state === "loaded" ? file.text : assert.fail(`the file is ${file.state}`);
}

function assertUnreadable(file: TextFile, message: string): void {
  assert.equal(file.state, "unreadable");
  assert.equal(file.state === "unreadable" && file.error.message, message);
  assert.equal(file.state === "unreadable" && file.error.code, "config-unreadable");
}
