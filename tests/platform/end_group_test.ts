import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { endGroup } from "../../src/platform/end_group.ts";
import { newMark } from "../../src/platform/live_groups.ts";
import { type ProcessGroup, spawnGroup } from "../../src/platform/process_group.ts";
import {
  endShell,
  environment,
  groupProcesses,
  isRunning,
  processesMarked,
  startShell,
  withTempFolder,
  zombieChildren,
} from "./real_processes.ts";

/** Ends at nothing but SIGKILL, and so does its child; prints the child's id when both are set. */
const STUBBORN = `trap '' TERM
sh -c 'trap "" TERM; echo $$; while :; do sleep 60; done' &
while :; do sleep 60; done`;

/** A server that leaves its group, and the variable behind which its own start stands. */
const ESCAPES = `deno eval --quiet '
  const { spawn } = await import("node:child_process");
  const child = spawn("/bin/sh", ["-c", Deno.env.get("RUNAWAY")], { detached: true, stdio: Deno.env.get("STDIO") });
  console.log(child.pid);
  child.unref();
  Deno.exit();'
exec cat`;

Deno.test("a server that ends with its input is not waited for", async () => {
  const mark = newMark();
  const group = await startShell("exec cat", mark);
  const began = performance.now();
  await endShell(group, mark);
  assert.ok(performance.now() - began < 500);
  assert.deepEqual(await group.exited, { code: 0, signal: null });
});

Deno.test("the input ends first, so that a server can save its state [B05]", async () => {
  await withTempFolder(async (folder) => {
    const mark = newMark();
    const file = join(folder, "state");
    const group = await startShell(
      `trap 'echo killed > ${file}; exit 1' TERM; cat >/dev/null; echo saved > ${file}`,
      mark,
    );
    await endShell(group, mark);
    assert.equal(await readFile(file, "utf8"), "saved\n");
    assert.deepEqual(await group.exited, { code: 0, signal: null });
  });
});

Deno.test("SIGTERM comes before SIGKILL", async () => {
  await withTempFolder(async (folder) => {
    const mark = newMark();
    const file = join(folder, "state");
    const group = await startShell(
      `trap 'echo terminated > ${file}; exit 5' TERM; echo ready; while :; do sleep 0.01; done`,
      mark,
    );
    await firstLine(group.stdout);
    await endShell(group, mark, { stdinGraceMs: 20 });
    assert.equal(await readFile(file, "utf8"), "terminated\n");
    assert.deepEqual(await group.exited, { code: 5, signal: null });
  });
});

Deno.test("a server and a grandchild that ignore everything are killed within bounds [B01]", async () => {
  const mark = newMark();
  const group = await startShell(STUBBORN, mark);
  const grandchild = Number(await firstLine(group.stdout));
  const began = performance.now();
  await endShell(group, mark, { stdinGraceMs: 50, termGraceMs: 50 });
  const took = performance.now() - began;
  // Well below what SIGKILL may take: processes that nobody has reaped yet are not waited for.
  assert.ok(took >= 100 && took < 700, `took ${took} ms`);
  assert.deepEqual(await group.exited, { code: null, signal: "SIGKILL" });
  assert.equal(isRunning(grandchild), false);
});

Deno.test("the graces are one second each by default", async () => {
  const mark = newMark();
  const group = await startShell(STUBBORN, mark);
  await firstLine(group.stdout);
  const began = performance.now();
  await endShell(group, mark);
  const took = performance.now() - began;
  assert.ok(took >= 1_990 && took < 3_000, `took ${took} ms`);
});

Deno.test("a grandchild that outlives its parent is ended with the group [B01]", async () => {
  const mark = newMark();
  const group = await startShell(
    `sh -c 'trap "" TERM; echo $$; while :; do sleep 60; done' & exit 0`,
    mark,
  );
  const grandchild = Number(await firstLine(group.stdout));
  await group.exited;
  assert.equal(isRunning(grandchild), true);
  await endShell(group, mark, { stdinGraceMs: 20, termGraceMs: 20 });
  assert.equal(isRunning(grandchild), false);
});

Deno.test("a wrapper that waits for its server leaves nothing [B01]", async () => {
  const mark = newMark();
  const group = await startShell("sleep 60 & echo $!; wait", mark);
  const server = Number(await firstLine(group.stdout));
  await endShell(group, mark, { stdinGraceMs: 20 });
  assert.equal(isRunning(server), false);
});

Deno.test("a runner of tasks that forwards no signal leaves nothing [B16]", async () => {
  await withTempFolder(async (folder) => {
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      JSON.stringify({ tasks: { serve: "sh -c 'echo $$; while :; do sleep 60; done'" } }),
    );
    const mark = newMark();
    const group = await spawnGroup({
      program: Deno.execPath(),
      args: ["task", "--quiet", "serve"],
      cwd: folder,
      env: environment(),
      mark,
    });
    const server = Number(await firstLine(group.stdout));
    assert.equal(isRunning(server), true);
    await endShell(group, mark, { stdinGraceMs: 20, termGraceMs: 200 });
    assert.equal(isRunning(server), false);
  });
});

Deno.test("a process that left the group is found by its mark and ended", async () => {
  const mark = newMark();
  const group = await startEscape("exec sleep 60", mark);
  const runaway = Number(await firstLine(group.stdout));
  assert.equal(isRunning(runaway), true);
  assert.equal(groupProcesses(group.pid).includes(runaway), false);
  const began = performance.now();
  await endShell(group, mark);
  assert.equal(isRunning(runaway), false);
  // The group ended with its input, and the runaway by SIGTERM: no grace was used up.
  assert.ok(performance.now() - began < 900);
});

Deno.test("a process that left the group and ignores SIGTERM is killed", async () => {
  const mark = newMark();
  const group = await startEscape(`trap "" TERM; while :; do sleep 60; done`, mark);
  const runaway = Number(await firstLine(group.stdout));
  assert.equal(isRunning(runaway), true);
  await endShell(group, mark, { termGraceMs: 50 });
  assert.equal(isRunning(runaway), false);
});

Deno.test("without a mark what left the group lives on", async () => {
  const mark = newMark();
  const group = await startEscape("exec sleep 60", mark);
  const runaway = Number(await firstLine(group.stdout));
  await endGroup(group, "");
  assert.equal(isRunning(runaway), true);
  Deno.kill(runaway, "SIGKILL");
});

Deno.test("what a gateway started under its own mark ends with it", async () => {
  const mark = newMark();
  const group = await startEscape(
    `export HOTPLUG_SERVER="$HOTPLUG_SERVER/inner"; exec sleep 60`,
    mark,
  );
  const runaway = Number(await firstLine(group.stdout));
  await eventuallyMarked(`${mark}/inner`, runaway);
  await endShell(group, mark);
  assert.equal(isRunning(runaway), false);
});

Deno.test("the servers of another mark are left alone", async () => {
  const [mark, other] = [newMark(), newMark()];
  const [group, neighbour] = await Promise.all([
    startShell("exec cat", mark),
    startShell("exec cat", other),
  ]);
  await endShell(group, mark);
  assert.equal(neighbour.isAlive(), true);
  await endShell(neighbour, other);
});

Deno.test("ending twice, also at the same time, is ending once", async () => {
  const mark = newMark();
  const group = await startShell("exec cat", mark);
  await Promise.all([endShell(group, mark), endShell(group, mark)]);
  await endShell(group, mark);
});

Deno.test("a server with more to say than a pipe holds can still end by itself", async () => {
  const mark = newMark();
  const group = await startShell("cat >/dev/null; head -c 1000000 /dev/zero; exit 9", mark);
  await endShell(group, mark, { stdinGraceMs: 5_000 });
  assert.deepEqual(await group.exited, { code: 9, signal: null });
});

Deno.test("all three streams are closed at the end, whoever else holds them [B13]", async () => {
  const group = await startEscape("exec sleep 60", "", "inherit");
  const runaway = Number(await firstLine(group.stdout));
  await endGroup(group, "");
  assert.equal(isRunning(runaway), true);
  assert.deepEqual(
    [group.stdin, group.stdout, group.stderr].map((stream) => stream.destroyed),
    [true, true, true],
  );
  Deno.kill(runaway, "SIGKILL");
});

Deno.test("fifty servers started and ended leave no process and no zombie [B14] [B17]", async () => {
  const marks: string[] = [];
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 5 }, async () => {
      const mark = newMark();
      marks.push(mark);
      const group = await startShell("exec cat", mark);
      await endShell(group, mark);
    }));
  }
  assert.equal(marks.length, 50);
  assert.deepEqual(zombieChildren(), []);
  assert.deepEqual(marks.flatMap(processesMarked), []);
});

/** Starts a server that starts `script` in a session of its own and prints its id. */
function startEscape(
  script: string,
  mark: string,
  stdio: "ignore" | "inherit" = "ignore",
): Promise<ProcessGroup> {
  return spawnGroup({
    program: "/bin/sh",
    args: ["-c", ESCAPES],
    cwd: "/",
    env: { ...environment(), RUNAWAY: script, STDIO: stdio },
    mark,
  });
}

async function eventuallyMarked(mark: string, pid: number): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!processesMarked(mark).includes(pid)) {
    assert.ok(performance.now() < deadline, "the runaway never took its mark");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The first line of a stream, which stays usable. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk: Uint8Array): void => {
      text += new TextDecoder().decode(chunk);
      if (!text.includes("\n")) return;
      stream.off("data", read);
      resolve(text.split("\n")[0] ?? "");
    };
    stream.on("data", read);
  });
}
