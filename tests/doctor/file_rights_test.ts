import assert from "node:assert/strict";
import { chmod, mkdir } from "node:fs/promises";
import { fileRightsFindings, type RightsFacts } from "../../src/doctor/file_rights.ts";
import { lookAtRights } from "../../src/doctor/look_rights.ts";
import { inPlace } from "../plan/made.ts";
import { told } from "./made.ts";

const FACTS: RightsFacts = {
  path: "/home/me/x.json",
  mode: 0o100600,
  uid: 1000,
  gid: 1000,
  reachable: true,
  project: false,
  secret: true,
};

Deno.test("files that others may read or change are told with the command that closes them", () => {
  const cases: readonly (readonly [Partial<RightsFacts>, RegExp | null])[] = [
    [{}, null],
    [{ mode: 0o100644 }, /^warning: .*may read this file, .*→ chmod 600 \/home\/me\/x\.json$/],
    [{ mode: 0o100644, secret: false }, null],
    [{ mode: 0o100644, project: true }, null],
    [{ mode: 0o100644, reachable: false }, null],
    [{ mode: 0o100666 }, /^warning: Everybody on this machine may change .*→ chmod o-w \/home/],
    [{ mode: 0o100660 }, null],
    [{ mode: 0o100660, gid: 100 }, /^info: The other members of its group may change/],
    [{ mode: 0o100602, project: true, secret: false }, /^warning: Everybody/],
  ];
  for (const [facts, expected] of cases) {
    const found = told(fileRightsFindings({ ...FACTS, ...facts }));
    if (expected === null) assert.deepEqual(found, [], JSON.stringify(facts));
    else assert.match(found.join("\n"), expected, JSON.stringify(facts));
  }
});

Deno.test("a closed folder above hides a file whatever its own rights", () =>
  inPlace(async ({ root }) => {
    const about = { project: false, secret: false };
    await mkdir(`${root}/open/shut/in`, { recursive: true });
    const path = `${root}/open/shut/in/a.json`;
    await Deno.writeTextFile(path, "{}");
    await chmod(root, 0o755);
    const before = lookAtRights(path, about);
    assert.deepEqual([before?.reachable, before?.path], [true, path]);
    await chmod(`${root}/open/shut`, 0o750);
    assert.equal(lookAtRights(path, about)?.reachable, false);
    assert.equal(lookAtRights(`${root}/none`, about), null);
  }));
