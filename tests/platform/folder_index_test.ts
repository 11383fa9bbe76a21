import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderIndex } from "../../src/platform/folder_index.ts";
import { recordLooks } from "../../src/platform/looks.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hotplug-index-"));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

Deno.test("only what is surely not there is called absent", async () => {
  await inFolder(async (home) => {
    await mkdir(join(home, ".config", "Empty"), { recursive: true });
    await writeFile(join(home, ".config", "file"), "");
    await symlink("nowhere", join(home, "dangling"));
    const index = new FolderIndex(`${home}/`);
    for (const path of [".cursor/mcp.json", ".config/Code/User/mcp.json", ".config/Empty/x"]) {
      assert.equal(index.isAbsent(join(home, path)), true, path);
    }
    for (const path of [".config/file", ".config", "dangling", ".config/file/below", ""]) {
      assert.equal(index.isAbsent(join(home, path)), false, path);
    }
    for (const path of ["/etc/x", `${home}-other/x`, `${home}/../x`, home, "relative"]) {
      assert.equal(index.isAbsent(path), false, path);
    }
  });
});

Deno.test("case and composition of names leave the question open, as some disks ignore them", async () => {
  await inFolder(async (home) => {
    await mkdir(join(home, ".Cursor"));
    await mkdir(join(home, "\u00fc"));
    const index = new FolderIndex(home);
    assert.equal(index.isAbsent(join(home, ".cursor")), false);
    assert.equal(index.isAbsent(join(home, "u\u0308")), false);
  });
});

Deno.test({
  name: "a folder that cannot be listed leaves the question open",
  ignore: Deno.uid() === 0,
  async fn(): Promise<void> {
    await inFolder(async (home) => {
      await mkdir(join(home, "closed"));
      await chmod(join(home, "closed"), 0o300);
      const index = new FolderIndex(home);
      assert.equal(index.isAbsent(join(home, "closed", "x")), false);
      await chmod(join(home, "closed"), 0o700);
    });
  },
});

Deno.test("a record has what was absent as if the path had been looked at", async () => {
  await inFolder((home) => {
    const path = join(home, "x");
    const end = recordLooks();
    new FolderIndex(home).isAbsent(path);
    assert.deepEqual(end().looks, [{ how: "stat", path, found: null }]);
    return Promise.resolve();
  });
});
