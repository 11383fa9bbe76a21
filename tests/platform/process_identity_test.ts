import assert from "node:assert/strict";

import { isRunning, ownIdentity, processExists } from "../../src/platform/process_identity.ts";
import { endShell, startShell } from "./real_processes.ts";

Deno.test("this process runs", () => {
  assert.equal(isRunning(ownIdentity()), true);
  assert.equal(processExists(Deno.pid), true);
});

Deno.test("a process that started at another time is another one", () => {
  assert.equal(isRunning({ ...ownIdentity(), started: "1" }), false);
});

Deno.test("a process of another container cannot be told of", () => {
  assert.equal(isRunning({ ...ownIdentity(), space: "elsewhere" }), null);
});

Deno.test("a process that has ended does not run", async () => {
  const group = await startShell("exit 0", "");
  await group.exited;
  assert.equal(isRunning({ ...ownIdentity(), pid: group.pid, started: "" }), false);
  assert.equal(processExists(group.pid), false);
  await endShell(group, "");
});
