import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { HotplugError } from "../../src/model/errors.ts";
import { updatePrivateFile, writePrivateFile } from "../../src/platform/private_file.ts";
import { withTempFolder } from "./real_processes.ts";

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

Deno.test("a private file and the folders made for it belong to their user alone [H09]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a", "b", "trust.json");
    await writePrivateFile(path, "text");
    assert.equal(await readFile(path, "utf8"), "text");
    assert.equal(await modeOf(path), 0o600);
    assert.equal(await modeOf(join(folder, "a")), 0o700);
    assert.equal(await modeOf(join(folder, "a", "b")), 0o700);
    assert.deepEqual(await readdir(join(folder, "a", "b")), ["trust.json"]);
  });
});

Deno.test("a file that need not outlast a power failure is written whole all the same", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "a", "entry.json");
    await writePrivateFile(path, "old", { lasting: false });
    await writePrivateFile(path, "new", { lasting: false });
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal(await modeOf(path), 0o600);
    assert.deepEqual(await readdir(join(folder, "a")), ["entry.json"]);
  });
});

Deno.test("a file that was open to others is closed when it is written [H09]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "token.json");
    await writeFile(path, "old");
    await chmod(path, 0o644);
    await writePrivateFile(path, "new");
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal(await modeOf(path), 0o600);
  });
});

Deno.test("a link stays and the file behind it is written, also when it is not there yet", async () => {
  await withTempFolder(async (folder) => {
    await mkdir(join(folder, "real"));
    await symlink(join("real", "trust.json"), join(folder, "second"));
    await symlink("second", join(folder, "first"));
    for (const text of ["new", "newer"]) {
      await writePrivateFile(join(folder, "first"), text);
      assert.equal(await readFile(join(folder, "real", "trust.json"), "utf8"), text);
      assert.equal((await lstat(join(folder, "first"))).isSymbolicLink(), true);
      assert.equal((await lstat(join(folder, "second"))).isSymbolicLink(), true);
    }
  });
});

Deno.test("a write that fails leaves no temp file and the old text", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "trust.json");
    await mkdir(join(path, "full"), { recursive: true });
    await assertFails(writePrivateFile(path, "text"), "write-failed", `Cannot write "${path}": `);
    assert.deepEqual(await readdir(folder), ["trust.json"]);
    const below = join(folder, "file", "trust.json");
    await writeFile(join(folder, "file"), "in the way");
    await assertFails(writePrivateFile(below, "text"), "write-failed", `Cannot write "${below}": `);
    const loop = join(folder, "loop");
    await symlink("loop", loop);
    await assertFails(writePrivateFile(loop, "text"), "write-failed", `Cannot write "${loop}": `);
    assert.deepEqual((await readdir(folder)).sort(), ["file", "loop", "trust.json"]);
  });
});

Deno.test("changes made at the same time are all kept", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "count");
    await Promise.all(
      Array.from(
        { length: 20 },
        () => updatePrivateFile(path, (text) => String(Number(text ?? "0") + 1)),
      ),
    );
    assert.equal(await readFile(path, "utf8"), "20");
    assert.deepEqual(await readdir(folder), ["count"]);
  });
});

Deno.test("a change gets no text when there is no file, and writes only what differs", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "trust.json");
    const seen: (string | null)[] = [];
    const change = (text: string | null): string => {
      seen.push(text);
      return "text";
    };
    await updatePrivateFile(path, change);
    const before = await stat(path);
    await updatePrivateFile(path, change);
    assert.deepEqual(seen, [null, "text"]);
    assert.equal((await stat(path)).ino, before.ino);
  });
});

Deno.test("a change that throws writes nothing and frees the lock", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "trust.json");
    await writeFile(path, "old");
    await assert.rejects(
      updatePrivateFile(path, () => {
        throw new RangeError("on purpose");
      }),
      RangeError,
    );
    assert.equal(await readFile(path, "utf8"), "old");
    assert.deepEqual(await readdir(folder), ["trust.json"]);
  });
});

Deno.test("a file that cannot be read is not written over [A43]", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "trust.json");
    await mkdir(path);
    await assertFails(
      updatePrivateFile(path, () => assert.fail("the change was asked")),
      "config-unreadable",
      `Cannot read "${path}": it is a folder`,
    );
    assert.deepEqual(await readdir(folder), ["trust.json"]);
  });
});

Deno.test("a change that was given up before it began writes nothing", async () => {
  await withTempFolder(async (folder) => {
    const path = join(folder, "trust.json");
    const signal = AbortSignal.abort();
    await assertFails(updatePrivateFile(path, () => "text", { signal }), "aborted", "");
    assert.deepEqual(await readdir(folder), []);
  });
});

async function assertFails(promise: Promise<void>, code: string, start: string): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof HotplugError);
    assert.equal(error.code, code);
    assert.ok(error.message.startsWith(start), error.message);
    return true;
  });
}
