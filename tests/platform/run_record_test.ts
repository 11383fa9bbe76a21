import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ownIdentity } from "../../src/platform/process_identity.ts";
import { parseRecord, RunRecord } from "../../src/platform/run_record.ts";
import { endShell, startShell, withTempFolder } from "./real_processes.ts";
import { endGroup } from "../../src/platform/end_group.ts";
import { spawnGroup } from "../../src/platform/process_group.ts";

Deno.test("a process is recorded while it runs, in a file that only its user reads [B03]", async () => {
  await withTempFolder(async (root) => {
    const records = join(root, "state", "processes");
    const start = () =>
      spawnGroup({ program: "/bin/cat", args: [], cwd: "/", env: {}, mark: "", records });
    const [first, second] = [await start(), await start()];
    const [name = "", ...others] = readdirSync(records);
    assert.deepEqual(others, []);
    const file = join(records, name);
    const record = parseRecord(readFileSync(file, "utf8"));
    assert.deepEqual(record?.host, ownIdentity());
    assert.deepEqual(record?.servers.map(({ pid }) => pid), [first.pid, second.pid]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(records).mode & 0o777, 0o700);
    await endGroup(first, "");
    assert.deepEqual(readdirSync(records), [name]);
    await endGroup(second, "");
    assert.deepEqual(readdirSync(records), []);
  });
});

Deno.test("a record does not grow with what has ended", async () => {
  await withTempFolder((folder) => {
    const record = new RunRecord(folder, "x");
    record.add(10);
    for (let pid = 11; pid < 1_000; pid++) {
      record.add(pid);
      record.remove(pid);
    }
    const [name = ""] = readdirSync(folder);
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    assert.ok(lines.length < 300, `${lines.length} lines`);
    assert.ok(lines.some((line) => line.includes(`"pid":10,`)), "what runs was lost");
    record.remove(10);
    assert.deepEqual(readdirSync(folder), []);
  });
});

Deno.test("a folder that cannot be written keeps no server from starting", async () => {
  await withTempFolder(async (folder) => {
    const blocked = join(folder, "file");
    writeFileSync(blocked, "");
    const record = new RunRecord(join(blocked, "processes"), "x");
    record.add(10);
    record.add(11);
    record.remove(10);
    record.remove(11);
    const group = await startShell("exec cat", "");
    await endShell(group, "");
  });
});

Deno.test("a torn line and nonsense are left out of a record", () => {
  const host = { space: "s", pid: 1, started: "5" };
  const text = [
    JSON.stringify({ host }),
    '{"pid":7,"started":"8"}',
    '{"pid":1,"started":"8"}',
    '{"pid":-5,"started":"8"}',
    '{"pid":"7","started":"8"}',
    '{"pid":9,"started":""}',
    "null",
    '{"pid":10,"sta',
  ].join("\n");
  assert.deepEqual(parseRecord(text), { host, servers: [{ pid: 7, started: "8" }] });
  for (const nonsense of ["", "{}", "[]", '{"host":{"pid":3}}', '{"pid":7,"started":"8"}']) {
    assert.equal(parseRecord(nonsense), null, nonsense);
  }
});
