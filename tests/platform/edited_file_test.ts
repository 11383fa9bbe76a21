import assert from "node:assert/strict";
import { chmod, chown, lstat, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HotplugError } from "../../src/model/errors.ts";
import { editFile } from "../../src/platform/edited_file.ts";
import { withFileLock } from "../../src/platform/file_lock.ts";

/** Runs a test in a temp folder. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const upper = (text: string | null): string => (text ?? "new\n").toUpperCase();

/** Whether rights keep nobody out of a test's files. */
const IS_ROOT = Deno.uid() === 0;

Deno.test("an edit keeps rights, byte order mark and line ends [A27] [A33]", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "\ufeffa\r\nb\r\n");
    await chmod(path, 0o640);
    const { before, after } = await editFile(path, upper);
    assert.deepEqual([before, after], ["\ufeffa\r\nb\r\n", "\ufeffA\r\nB\r\n"]);
    assert.equal(await readFile(path, "utf8"), "\ufeffA\r\nB\r\n");
    assert.equal((await stat(path)).mode & 0o7777, 0o640);
    assert.deepEqual(await readdir(folder), ["a.json"]);
  });
});

Deno.test({
  name: "a file that root edits keeps its owner and group",
  ignore: !IS_ROOT,
  async fn(): Promise<void> {
    await inFolder(async (folder) => {
      const path = join(folder, "a.json");
      await writeFile(path, "a");
      await chown(path, 4242, 4343);
      await chmod(path, 0o600);
      await editFile(path, upper);
      const { uid, gid, mode } = await stat(path);
      assert.deepEqual([uid, gid, mode & 0o777], [4242, 4343, 0o600]);
    });
  },
});

Deno.test("links stay links, also in a chain and to a file that is not there yet", async () => {
  await inFolder(async (folder) => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real", "a.json"), "a");
    await symlink(join("real", "a.json"), join(folder, "inner"));
    await symlink("inner", join(folder, "outer"));
    await symlink(join("real", "late.json"), join(folder, "late"));
    await editFile(join(folder, "outer"), upper);
    await editFile(join(folder, "late"), upper);
    assert.equal(await readFile(join(folder, "real", "a.json"), "utf8"), "A");
    assert.equal(await readFile(join(folder, "real", "late.json"), "utf8"), "NEW\n");
    for (const link of ["inner", "outer", "late"]) {
      assert.ok((await lstat(join(folder, link))).isSymbolicLink(), link);
    }
    await symlink("loop", join(folder, "loop"));
    await assert.rejects(editFile(join(folder, "loop"), upper), { code: "write-failed" });
  });
});

Deno.test("a text that is not UTF-8 is refused untouched, UTF-16 included [G02]", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    const texts: readonly Uint8Array[] = [
      new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
      new Uint8Array([0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]),
      new Uint8Array([0x7b, 0xe9, 0x7d]),
    ];
    for (const bytes of texts) {
      await writeFile(path, bytes);
      await assert.rejects(
        editFile(path, upper),
        (error: HotplugError) =>
          error.code === "config-unreadable" && /not UTF-8/.test(error.message),
      );
      assert.deepEqual(new Uint8Array(await readFile(path)), bytes);
    }
    assert.deepEqual(await readdir(folder), ["a.json"]);
  });
});

Deno.test("missing folders are made for the user alone, or as a project's are", async () => {
  await inFolder(async (folder) => {
    await editFile(join(folder, "own", "deep", "a.json"), upper);
    await editFile(join(folder, "shared", "a.json"), upper, { newMode: 0o644 });
    const rights = async (name: string): Promise<number> =>
      (await stat(join(folder, name))).mode & 0o777;
    assert.equal(await rights("own/deep"), 0o700);
    assert.equal(await rights("own/deep/a.json"), 0o600);
    assert.equal(await rights("shared/a.json"), 0o644);
  });
});

Deno.test("what changes nothing makes no file, no folder and no lock", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "new", "a.json");
    const same = await editFile(path, (text) => text ?? "");
    assert.deepEqual(same, { before: null, after: "" });
    const dry = await editFile(path, upper, { dryRun: true });
    assert.deepEqual(dry, { before: null, after: "NEW\n" });
    await assert.rejects(
      editFile(path, () => {
        throw new HotplugError("edit-refused", "No");
      }),
      { code: "edit-refused" },
    );
    assert.deepEqual(await readdir(folder), []);
  });
});

Deno.test("a change that is refused leaves the file, and nothing beside it", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "a");
    const { ino } = await stat(path);
    const refuse = (): string => {
      throw new HotplugError("edit-refused", "No");
    };
    await assert.rejects(editFile(path, refuse), { code: "edit-refused" });
    await assert.rejects(
      editFile(path, upper, {
        guard: () => {
          throw new HotplugError("edit-refused", "Not this one");
        },
      }),
      /Not this one/,
    );
    assert.equal((await stat(path)).ino, ino);
    assert.deepEqual(await readdir(folder), ["a.json"]);
  });
});

Deno.test("what is no file is refused: a folder, a pipe, a path below a file", async () => {
  await inFolder(async (folder) => {
    await mkdir(join(folder, "folder"));
    await writeFile(join(folder, "file"), "");
    await assert.rejects(editFile(join(folder, "folder"), upper), /it is a folder/);
    await assert.rejects(editFile(join(folder, "file", "a.json"), upper), HotplugError);
    assert.deepEqual((await readdir(folder)).sort(), ["file", "folder"]);
  });
});

Deno.test("a read-only file is refused, since putting another in its place goes around it", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "a");
    await chmod(path, 0o444);
    for (const dryRun of [true, false]) {
      await assert.rejects(
        editFile(path, upper, { dryRun }),
        (error: HotplugError) =>
          error.code === "edit-refused" && /it is read-only/.test(error.message),
      );
    }
    assert.equal((await editFile(path, (text) => text ?? "")).after, "a");
    assert.equal(await readFile(path, "utf8"), "a");
  });
});

Deno.test({
  name: "a folder that may not be written to is named, and nothing is left there",
  ignore: IS_ROOT,
  async fn(): Promise<void> {
    await inFolder(async (folder) => {
      await writeFile(join(folder, "a.json"), "a");
      await chmod(folder, 0o500);
      try {
        await assert.rejects(editFile(join(folder, "a.json"), upper), { code: "write-failed" });
        assert.deepEqual(await readdir(folder), ["a.json"]);
      } finally {
        await chmod(folder, 0o700);
      }
    });
  },
});

Deno.test("what another program writes meanwhile is not lost", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "a\n");
    let calls = 0;
    await editFile(path, async (text) => {
      // A program that knows no lock of ours.
      if (++calls === 1) await writeFile(path, `${text}theirs\n`);
      return `${text}ours\n`;
    });
    assert.equal(await readFile(path, "utf8"), "a\ntheirs\nours\n");
    assert.equal(calls, 2);
    const busy = editFile(path, async (text) => {
      await writeFile(path, `${text}x`);
      return `${text}y`;
    });
    await assert.rejects(busy, /another program keeps changing it/);
    assert.deepEqual(await readdir(folder), ["a.json"]);
  });
});

Deno.test("an edit waits for the one before it, and gives up with its caller", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "a.json");
    await writeFile(path, "");
    const append = (letter: string): Promise<unknown> =>
      editFile(path, (text) => `${text}${letter}`);
    await Promise.all([..."abcdefgh"].map(append));
    assert.deepEqual([...await readFile(path, "utf8")].sort(), [..."abcdefgh"]);
    await withFileLock(path, async () => {
      const ending = new AbortController();
      const waiting = editFile(path, upper, { signal: ending.signal });
      ending.abort();
      await assert.rejects(waiting, { code: "aborted" });
    });
  });
});
