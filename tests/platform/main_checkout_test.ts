import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mainCheckout } from "../../src/platform/main_checkout.ts";

/** Makes a checkout and a worktree as git does, and gives their roots to a check. */
async function withWorktree(check: (main: string, worktree: string) => unknown): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "hotplug-worktree-")));
  try {
    const [main, worktree] = [join(root, "main"), join(root, "other")];
    const record = join(main, ".git", "worktrees", "other");
    await mkdir(record, { recursive: true });
    await mkdir(worktree);
    await writeFile(join(worktree, ".git"), `gitdir: ${record}\n`);
    await writeFile(join(record, "gitdir"), `${join(worktree, ".git")}\n`);
    await check(main, worktree);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

Deno.test("a worktree is known by the checkout that it was made from", async () => {
  await withWorktree((main, worktree) => {
    assert.equal(mainCheckout(worktree), main);
    assert.equal(mainCheckout(main), null);
    assert.equal(mainCheckout(join(main, "absent")), null);
  });
});

Deno.test("a worktree whose record is written relative to it is known, too", async () => {
  await withWorktree(async (main, worktree) => {
    await writeFile(join(worktree, ".git"), "gitdir: ../main/.git/worktrees/other\r\n");
    await writeFile(join(main, ".git", "worktrees", "other", "gitdir"), "../../../../other/.git\n");
    assert.equal(mainCheckout(worktree), main);
  });
});

Deno.test("a folder that only claims to be a worktree of another one is none", async () => {
  await withWorktree(async (main) => {
    const hostile = join(main, "..", "hostile");
    await mkdir(hostile);
    const record = join(main, ".git", "worktrees", "other");
    await writeFile(join(hostile, ".git"), `gitdir: ${record}\n`);
    assert.equal(mainCheckout(hostile), null);
    await writeFile(join(hostile, ".git"), "gitdir: ../main/.git/modules/other\n");
    assert.equal(mainCheckout(hostile), null);
    await writeFile(join(hostile, ".git"), "something else");
    assert.equal(mainCheckout(hostile), null);
  });
});
