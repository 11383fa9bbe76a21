import assert from "node:assert/strict";
import { foreignRemedy, foreignSystem } from "../../src/platform/foreign_path.ts";

Deno.test("a command that is a path of another system is known as one", () => {
  for (
    const path of ["C:\\nodejs\\npx.cmd", "c:/nodejs/npx.cmd", "foo\\bar", ".\\run", "\\\\h\\s"]
  ) {
    assert.equal(foreignSystem(path, false), "Windows", path);
    assert.equal(foreignSystem(path, true), null, path);
  }
  for (const path of ["/usr/bin/npx", "/home/me/a b/run"]) {
    assert.equal(foreignSystem(path, true), "Linux or macOS", path);
    assert.equal(foreignSystem(path, false), null, path);
  }
  for (
    const path of ["npx", "./run", "./odd\\name", "~/bin/x", "a/b", "", "c:", "//host/share/x"]
  ) {
    assert.equal(foreignSystem(path, false), null, path);
    assert.equal(foreignSystem(path, true), null, path);
  }
  assert.match(foreignRemedy("Windows"), /^It is a path as Windows writes it.* called here$/);
});
