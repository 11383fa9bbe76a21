import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { program } from "../harness/run_cli.ts";
import { npmServer, trap } from "../harness/servers.ts";

// That no process is left is checked after every one of these, as after every e2e test.

/** Servers of every temper, so that a signal meets them in every phase. */
const MIX = {
  good: trap("good"),
  slow: trap("slow", "800"),
  hung: trap("hang"),
  mute: trap("hang-list"),
  stubborn: trap("stubborn"),
  wrapped: trap("wrapper"),
};

for (const ms of [10, 60, 120, 200, 350, 600, 1_000]) {
  e2e(`Ctrl-C ${ms} ms after the start of status leaves no process [B02] [B12]`, async (world) => {
    await world.userServers(MIX);
    const run = await world.mcp(["status"], { signalAfter: { signal: "SIGINT", ms } });
    assert.equal(run.code, 130, run.stderr);
    assert.ok(run.elapsedMs < ms + 5_000, `took ${run.elapsedMs} ms`);
  });
}

e2e("Ctrl-C in a call cancels it and ends the server [C25]", async (world) => {
  await world.userServers({ it: trap("hang-call") });
  const run = await world.mcp(["call", "it", "go"], { signalAfter: { signal: "SIGINT", ms: 900 } });
  assert.equal(run.code, 130);
  assert.ok(run.elapsedMs < 5_000, `took ${run.elapsedMs} ms`);
});

e2e("Ctrl-C while a server from npm starts leaves no process [B02]", async (world) => {
  await world.userServers({ everything: npmServer("everything") });
  await world.mcp(["status"], { signalAfter: { signal: "SIGINT", ms: 150 } });
});

e2e("a reader that goes away does not leave processes", async (world) => {
  await world.userServers({ stubborn: trap("stubborn"), good: trap("good") });
  const { command, args } = pipeToHead();
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: world.project,
    clearEnv: true,
    env: { ...world.env },
    stdout: "piped",
    stderr: "piped",
  });
  const { stdout } = await child.output();
  assert.match(new TextDecoder().decode(stdout), /^NAME/);
});

/** `mcp status | head -1` by a shell. */
function pipeToHead(): { readonly command: string; readonly args: readonly string[] } {
  const line = [...program(), "status"].map((word) => `'${word}'`).join(" ");
  return { command: "/bin/sh", args: ["-c", `${line} | head -1`] };
}
