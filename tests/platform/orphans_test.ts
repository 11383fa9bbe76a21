import assert from "node:assert/strict";

import { newMark } from "../../src/platform/live_groups.ts";
import { endOrphans, markMaker } from "../../src/platform/orphans.ts";
import { processStat } from "../../src/platform/linux_processes.ts";
import { ownIdentity } from "../../src/platform/process_identity.ts";
import { endShell, eventually, isRunning, processesMarked, startShell } from "./real_processes.ts";

Deno.test("what a host that is gone left behind is ended, what a live one runs is not [B03]", async () => {
  const { space } = ownIdentity();
  // A process that has ended: same id space, and an id that no process has.
  const lost = `${space}-4194304-1-1`;
  const [orphan, own] = await Promise.all([
    startShell(`trap "" TERM; echo ready; while :; do sleep 60; done`, lost),
    startShell("exec cat", newMark()),
  ]);
  await new Promise((resolve) => orphan.stdout.once("data", resolve));
  assert.ok(await endOrphans(20) >= 1);
  await eventually(() => !isRunning(orphan.pid));
  assert.deepEqual(processesMarked(lost), []);
  assert.equal(own.isAlive(), true);
  await endShell(orphan, lost);
  await endShell(own, "");
});

Deno.test("what an orphan ran that was a host itself is ended after it [B03]", async () => {
  const stubborn = `trap "" TERM; echo ready; while :; do sleep 60; done`;
  const { space } = ownIdentity();
  const lost = `${space}-4194304-1-1`;
  const gateway = await startShell(stubborn, lost);
  const started = processStat(gateway.pid)?.started;
  const under = `${lost}/${space}-${gateway.pid}-${started}-1`;
  const server = await startShell(stubborn, under);
  for (const { stdout } of [gateway, server]) {
    await new Promise((resolve) => stdout.once("data", resolve));
  }
  await endOrphans(20);
  await eventually(() => !isRunning(gateway.pid) && !isRunning(server.pid));
  assert.deepEqual([...processesMarked(lost), ...processesMarked(under)], []);
  await endShell(gateway, lost);
  await endShell(server, under);
});

Deno.test("what has a mark of another container or boot is left alone", async () => {
  const { space } = ownIdentity();
  const marks = [`4026539999.${space.split(".")[1]}-4194304-1-1`, "4026539999-4194304-1-1"];
  const groups = await Promise.all(marks.map((mark) => startShell("exec cat", mark)));
  await endOrphans(20);
  for (const group of groups) {
    assert.equal(group.isAlive(), true);
    await endShell(group, "");
  }
});

Deno.test("a mark tells who made it, and the innermost maker counts", () => {
  assert.deepEqual(markMaker("77-12-345-1"), { space: "77", pid: 12, started: "345" });
  assert.deepEqual(markMaker("77-12-345-0a1b2c3d.4"), { space: "77", pid: 12, started: "345" });
  assert.deepEqual(markMaker("77-1-2-3/77-12-345-1"), { space: "77", pid: 12, started: "345" });
  assert.equal(markMaker("made by hand"), null);
  assert.equal(markMaker(""), null);
});
