import assert from "node:assert/strict";
import { parseGitIndex } from "../../src/doctor/git_index.ts";
import { gitTracking } from "../../src/doctor/git_tracking.ts";

/** Whether this machine has git. */
const HAS_GIT = await new Deno.Command("git", { args: ["--version"], stdout: "null" }).output()
  .then(({ success }) => success, () => false);

/** Runs a test in a repository that git itself made. */
function withGit(
  name: string,
  test: (repo: string, git: (...args: readonly string[]) => Promise<void>) => Promise<void>,
  init: readonly string[] = [],
): void {
  Deno.test({ name, ignore: !HAS_GIT }, async () => {
    const root = await Deno.realPath(await Deno.makeTempDir());
    const repo = `${root}/repo`;
    const git = async (...args: readonly string[]): Promise<void> => {
      const { success, stderr } = await new Deno.Command("git", {
        args: ["-C", repo, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args],
        env: { GIT_CONFIG_NOSYSTEM: "1", HOME: root },
      }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
    };
    try {
      await Deno.mkdir(`${repo}/sub/dir`, { recursive: true });
      await git("init", "--quiet", ...init);
      for (const path of [".mcp.json", "sub/a.json", "sub/dir/ä b.json", "out.json"]) {
        await Deno.writeTextFile(`${repo}/${path}`, "{}");
      }
      await git("add", ".mcp.json", "sub");
      await test(repo, git);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

function states(repo: string): readonly (string | undefined)[] {
  const paths = [".mcp.json", "sub/a.json", "sub/dir/ä b.json", "out.json", "absent.json"];
  const found = gitTracking(paths.map((path) => `${repo}/${path}`));
  return paths.map((path) => found.get(`${repo}/${path}`));
}

const EXPECTED = ["tracked", "tracked", "tracked", "untracked", "untracked"];

withGit("the files that git tracks are read from its index", (repo) => {
  assert.deepEqual(states(repo), EXPECTED);
  return Promise.resolve();
});

for (const version of ["2", "3", "4"]) {
  withGit(`an index of version ${version} is understood`, async (repo, git) => {
    await git("update-index", "--index-version", version);
    if (version === "3") await git("update-index", "--skip-worktree", "sub/a.json");
    const bytes = await Deno.readFile(`${repo}/.git/index`);
    assert.equal(bytes[7], Number(version));
    assert.deepEqual(states(repo), EXPECTED);
  });
}

withGit("a split index, a worktree and another folder's link are followed", async (repo, git) => {
  await git("commit", "--quiet", "-m", "one");
  await git("worktree", "add", "--quiet", "../tree");
  assert.deepEqual(states(`${repo}/../tree`), EXPECTED);
  await Deno.symlink(repo, `${repo}/../link`);
  assert.deepEqual(states(`${repo}/../link`), EXPECTED);
  await git("update-index", "--split-index");
  await Deno.writeTextFile(`${repo}/late.json`, "{}");
  await git("add", "late.json");
  assert.deepEqual(states(repo), EXPECTED);
  assert.equal(gitTracking([`${repo}/late.json`]).get(`${repo}/late.json`), "tracked");
});

withGit(
  "a repository of SHA-256 is understood",
  (repo) => Promise.resolve(assert.deepEqual(states(repo), EXPECTED)),
  ["--object-format=sha256"],
);

withGit("a hostile repository's config runs nothing", async (repo, git) => {
  const mark = `${repo}/../ran`;
  await Deno.writeTextFile(`${repo}/evil.sh`, `#!/bin/sh\ntouch ${mark}\n`);
  await Deno.chmod(`${repo}/evil.sh`, 0o755);
  await git("config", "core.fsmonitor", `${repo}/evil.sh`);
  await git("config", "core.hooksPath", repo);
  assert.deepEqual(states(repo), EXPECTED);
  await assert.rejects(Deno.stat(mark));
});

Deno.test("without a repository, or with an index that is none, it says so", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const path = `${root}/a.json`;
    assert.equal(gitTracking([path]).get(path), "no-repository");
    await Deno.mkdir(`${root}/.git`);
    assert.equal(gitTracking([path]).get(path), "untracked", "nothing was added yet");
    await Deno.writeTextFile(`${root}/.git/index`, "DIRC but not an index, only its first word");
    assert.equal(gitTracking([path]).get(path), "unknown");
    await Deno.remove(`${root}/.git`, { recursive: true });
    await Deno.writeTextFile(`${root}/.git`, "gitdir: //evil.example/share");
    assert.equal(gitTracking([path]).get(path), "unknown", "a path of the network is not touched");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("an index that is cut, or whose names never end, is not understood", () => {
  const head = [0x44, 0x49, 0x52, 0x43, 0, 0, 0];
  const index = (version: number, count: number, rest: number[]): Uint8Array =>
    Uint8Array.from([...head, version, 0, 0, 0, count, ...rest]);
  const wanted = new Set(["a"]);
  assert.deepEqual(parseGitIndex(index(2, 0, Array(20).fill(0)), wanted)?.listed, new Set());
  assert.equal(parseGitIndex(index(9, 0, Array(20).fill(0)), wanted), null);
  assert.equal(parseGitIndex(index(2, 200, Array(100).fill(0)), wanted), null);
  assert.equal(parseGitIndex(index(2, 1, Array(6000).fill(65)), wanted), null, "no end of a name");
  assert.equal(parseGitIndex(new Uint8Array(3), wanted), null);
  const long = [...Array(62).fill(0), ...Array(5000).fill(65), ...Array(28).fill(0)];
  assert.equal(parseGitIndex(index(2, 1, long), wanted), null, "a name longer than any path");
});
