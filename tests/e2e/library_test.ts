import assert from "node:assert/strict";
import { e2e, ON_LINUX } from "../harness/e2e.ts";
import { runProgram } from "../harness/run_program.ts";
import { trap } from "../harness/servers.ts";

e2e("a hundred calls use one process, and none is left unwaited for [B14] [B17]", async (world) => {
  await world.userServers({ it: trap("pid"), dead: trap("dead") });
  const done = await runProgram<{ pids: string[]; zombies: number }>("many_calls.ts", world);
  assert.equal(new Set(done.pids).size, 5, `processes: ${done.pids}`);
  assert.equal(done.zombies, 0);
}, ON_LINUX);

e2e("a host that ends without closing its manager leaves no server [B12]", async (world) => {
  await world.userServers({ it: trap("good"), stubborn: trap("stubborn") });
  const { tools } = await runProgram<{ tools: string[] }>("ends_abruptly.ts", world);
  assert.equal(tools.length, 4);
});
