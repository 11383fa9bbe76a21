import assert from "node:assert/strict";
import { NO_TRUST, readTrust, trustFile, updateTrust } from "../../src/plan/trust_store.ts";
import { inPlace } from "./made.ts";

Deno.test("nothing is approved before anything was", () =>
  inPlace(async ({ folders, repo }) => {
    assert.deepEqual(await readTrust(folders, repo), NO_TRUST);
  }));

Deno.test("approvals come back as they were written, in a file that only the user reads", () =>
  inPlace(async ({ folders, repo }) => {
    const trust = { folder: true, definitions: { lint: ["a", "b"] }, enabled: ["db"] };
    await updateTrust(folders, repo, () => trust);
    assert.deepEqual(await readTrust(folders, repo), trust);
    const { mode } = await Deno.stat(trustFile(folders));
    assert.equal((mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("an approval holds for one workspace, also by another name of it [A41]", () =>
  inPlace(async ({ folders, repo, root }) => {
    await Deno.mkdir(`${root}/worktree`);
    await Deno.symlink(repo, `${root}/link`);
    await updateTrust(folders, repo, (trust) => ({ ...trust, folder: true }));
    assert.equal((await readTrust(folders, `${root}/worktree`)).folder, false);
    assert.equal((await readTrust(folders, `${root}/link`)).folder, true);
  }));

Deno.test("names of an object's own parts are approved like any other", () =>
  inPlace(async ({ folders, repo }) => {
    assert.equal(Object.hasOwn((await readTrust(folders, repo)).definitions, "constructor"), false);
    const definitions = Object.fromEntries([["__proto__", ["a"]], ["constructor", ["b"]]]);
    await updateTrust(folders, repo, (trust) => ({ ...trust, definitions }));
    const found = await readTrust(folders, repo);
    assert.deepEqual(Object.entries(found.definitions), Object.entries(definitions));
  }));

Deno.test("changes at the same time are all kept", () =>
  inPlace(async ({ folders, repo }) => {
    const names = Array.from({ length: 12 }, (_, index) => `server-${index}`);
    await Promise.all(names.map((name) =>
      updateTrust(folders, repo, (trust) => ({ ...trust, enabled: [...trust.enabled, name] }))
    ));
    assert.deepEqual([...(await readTrust(folders, repo)).enabled].sort(), names.sort());
  }));

Deno.test("a workspace without approvals leaves no entry, and others keep theirs", () =>
  inPlace(async ({ folders, repo, home }) => {
    await updateTrust(folders, repo, (trust) => ({ ...trust, folder: true }));
    await updateTrust(folders, home, (trust) => ({ ...trust, enabled: ["x"] }));
    await updateTrust(folders, repo, () => NO_TRUST);
    const text = await Deno.readTextFile(trustFile(folders));
    assert.deepEqual(Object.keys(JSON.parse(text).workspaces), [home]);
  }));

Deno.test("a file that cannot be used approves nothing and is not replaced", () =>
  inPlace(async ({ folders, repo, write }) => {
    for (const text of ["{", "[]", '{"version":2}']) {
      await write("home/.local/state/hotplug/trust.json", text);
      await assert.rejects(readTrust(folders, repo), { code: "config-malformed" });
      await assert.rejects(updateTrust(folders, repo, (trust) => ({ ...trust, folder: true })), {
        code: "config-malformed",
      });
      assert.equal(await Deno.readTextFile(trustFile(folders)), text);
    }
  }));

Deno.test("entries of another shape approve nothing", () =>
  inPlace(async ({ folders, repo, write }) => {
    const entry = { folder: "yes", definitions: { a: "digest", b: [1] }, enabled: { c: true } };
    await write("home/.local/state/hotplug/trust.json", { workspaces: { [repo]: entry } });
    assert.deepEqual(await readTrust(folders, repo), NO_TRUST);
  }));
