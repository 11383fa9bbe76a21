import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { findWorkspace, foldersUpTo } from "../../src/platform/workspace.ts";
import { withTempFolder } from "./real_processes.ts";

/** A home folder with the repository `repo`, which has the folder `sub/deep`. */
function withHome(test: (home: string) => void | Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const home = join(folder, "home");
    await mkdir(join(home, "repo", ".git"), { recursive: true });
    await mkdir(join(home, "repo", "sub", "deep"), { recursive: true });
    await test(home);
  });
}

Deno.test("the workspace is the nearest repository upward", async () => {
  await withHome((home) => {
    const repo = join(home, "repo");
    for (const cwd of [repo, join(repo, "sub"), join(repo, "sub", "deep")]) {
      assert.equal(findWorkspace(cwd, home), repo);
    }
  });
});

Deno.test("a worktree or submodule, whose .git is a file, is a workspace of its own [A41]", async () => {
  await withHome(async (home) => {
    const worktree = join(home, "repo", "trees", "fix");
    await mkdir(join(worktree, "src"), { recursive: true });
    await writeFile(join(worktree, ".git"), "gitdir: ../../.git/worktrees/fix\n");
    assert.equal(findWorkspace(join(worktree, "src"), home), worktree);
  });
});

Deno.test("without a repository the workspace is the folder itself", async () => {
  await withHome(async (home) => {
    const plain = join(home, "notes", "today");
    await mkdir(plain, { recursive: true });
    assert.equal(findWorkspace(plain, home), plain);
    const missing = join(home, "missing", "folder");
    assert.equal(findWorkspace(missing, home), missing);
  });
});

Deno.test("a repository in the home folder or above makes no workspace of all below", async () => {
  await withHome(async (home) => {
    await mkdir(join(home, ".git"));
    await mkdir(join(home, "..", ".git"));
    const plain = join(home, "notes");
    await mkdir(plain);
    assert.equal(findWorkspace(plain, home), plain);
    assert.equal(findWorkspace(home, home), home);
    assert.equal(findWorkspace(join(home, "repo", "sub"), home), join(home, "repo"));
    const beside = join(home, "..", "srv", "site");
    await mkdir(beside, { recursive: true });
    assert.equal(findWorkspace(beside, home), beside);
  });
});

Deno.test("a home folder behind a link is the home folder still", async () => {
  await withHome(async (home) => {
    await mkdir(join(home, ".git"));
    await mkdir(join(home, "notes"));
    const link = join(home, "..", "link");
    await symlink(home, link);
    assert.equal(findWorkspace(join(home, "notes"), link), join(home, "notes"));
    assert.equal(findWorkspace(join(link, "notes"), home), join(link, "notes"));
  });
});

Deno.test("a folder reached by a link belongs to the repository around the link, else around itself [A42]", async () => {
  await withHome(async (home) => {
    const repo = join(home, "repo");
    await symlink(join(repo, "sub"), join(home, "outside"));
    assert.equal(findWorkspace(join(home, "outside", "deep"), home), repo);
    await mkdir(join(home, "other", ".git"), { recursive: true });
    await symlink(join(repo, "sub"), join(home, "other", "inside"));
    assert.equal(findWorkspace(join(home, "other", "inside"), home), join(home, "other"));
  });
});

Deno.test("a loop of links is no repository and does no harm [A42]", async () => {
  await withHome(async (home) => {
    const sub = join(home, "repo", "sub");
    await symlink(".git", join(sub, ".git"));
    assert.equal(findWorkspace(sub, home), join(home, "repo"));
    await symlink("loop", join(sub, "loop"));
    assert.equal(findWorkspace(join(sub, "loop"), home), join(home, "repo"));
  });
});

Deno.test("the folders between the current one and the root are listed, nearest first", () => {
  assert.deepEqual(foldersUpTo("/a/b/c", "/a"), ["/a/b/c", "/a/b", "/a"]);
  assert.deepEqual(foldersUpTo("/a/b/", "/a/b"), ["/a/b"]);
  assert.deepEqual(foldersUpTo("/a", "/"), ["/a", "/"]);
  assert.deepEqual(foldersUpTo("/..a/b", "/..a"), ["/..a/b", "/..a"]);
});

Deno.test("a root that is not above the folder is listed all the same", () => {
  assert.deepEqual(foldersUpTo("/no/such/folder", "/elsewhere"), ["/no/such/folder", "/elsewhere"]);
  assert.deepEqual(foldersUpTo("/no/such", "/no/such/folder"), ["/no/such", "/no/such/folder"]);
});

Deno.test("a folder reached by a link is listed up to the root around its real place [A42]", async () => {
  await withHome(async (home) => {
    const repo = join(home, "repo");
    const link = join(home, "outside");
    await symlink(join(repo, "sub", "deep"), link);
    assert.deepEqual(foldersUpTo(link, repo), [link, join(repo, "sub"), repo]);
  });
});
