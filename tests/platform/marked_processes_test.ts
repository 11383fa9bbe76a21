import assert from "node:assert/strict";

import { newMark } from "../../src/platform/live_groups.ts";
import {
  isMarkUnder,
  markedProcesses,
  markedProcessesSoon,
  signalProcess,
} from "../../src/platform/marked_processes.ts";
import { endShell, startShell } from "./real_processes.ts";

Deno.test("running processes are found by the mark they were started with", async () => {
  const mark = newMark();
  const group = await startShell("sleep 60 & echo $!; wait", mark);
  const child = await new Promise<number>((resolve) =>
    group.stdout.once("data", (chunk) => resolve(Number(chunk)))
  );
  const found = markedProcesses().filter((process) => process.mark === mark);
  assert.deepEqual(
    found.toSorted((a, b) => a.pid - b.pid),
    [group.pid, child].map((pid) => ({ pid, group: group.pid, mark })),
  );
  assert.equal(signalProcess(child, "SIGKILL"), true);
  await group.exited;
  assert.deepEqual(markedProcesses().filter((process) => process.mark === mark), []);
  await endShell(group, mark);
});

Deno.test("callers of one moment share one look, later ones get a new one", async () => {
  const first = markedProcessesSoon();
  assert.equal(markedProcessesSoon(), first);
  await first;
  const later = markedProcessesSoon();
  assert.notEqual(later, first);
  await later;
});

Deno.test("a look that is waited for is taken after the call", async () => {
  await markedProcessesSoon();
  const mark = newMark();
  const looking = markedProcessesSoon();
  const group = await startShell("exec cat", mark);
  assert.equal((await looking).some((process) => process.mark === mark), true);
  await endShell(group, mark);
});

Deno.test("a mark covers itself and what was made under it, not what looks alike", () => {
  assert.equal(isMarkUnder("a-1", "a-1"), true);
  assert.equal(isMarkUnder("a-1/b-2", "a-1"), true);
  assert.equal(isMarkUnder("a-12", "a-1"), false);
  assert.equal(isMarkUnder("a-1", "a-1/b-2"), false);
});

Deno.test("signalling a process that is gone does no harm [B15]", async () => {
  const group = await startShell("exit 0", "");
  await group.exited;
  assert.equal(signalProcess(group.pid, "SIGTERM"), false);
  await endShell(group, "");
});
