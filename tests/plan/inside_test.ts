import assert from "node:assert/strict";
import { liesIn } from "../../src/plan/inside.ts";

Deno.test("a path lies in a folder by whole names", () => {
  assert.equal(liesIn("/repo", "/repo"), true);
  assert.equal(liesIn("/repo/a/b", "/repo"), true);
  assert.equal(liesIn("/repo/..a", "/repo"), true);
  assert.equal(liesIn("/repo2/a", "/repo"), false);
  assert.equal(liesIn("/repo/../etc", "/repo"), false);
  assert.equal(liesIn("/a", "/"), true);
  assert.equal(liesIn("/Repo/a", "/repo"), false);
  assert.equal(liesIn("/Repo/a", "/repo", true), true);
});
