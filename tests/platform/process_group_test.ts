import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { HotplugError } from "../../src/model/errors.ts";
import { newMark } from "../../src/platform/live_groups.ts";
import { spawnGroup } from "../../src/platform/process_group.ts";
import {
  endShell,
  environment,
  groupProcesses,
  isRunning,
  startShell,
  withTempFolder,
} from "./real_processes.ts";

Deno.test("a group gets its arguments, its environment and nothing beside it", async () => {
  const mark = newMark();
  const group = await spawnGroup({
    program: "/bin/sh",
    args: ["-c", 'echo "$1|$GIVEN|$HOME|$HOTPLUG_SERVER"', "sh", "two words"],
    cwd: "/",
    env: { GIVEN: "yes" },
    mark,
  });
  assert.equal(await text(group.stdout), `two words|yes||${mark}\n`);
  await endShell(group, mark);
});

Deno.test("a group without a mark gets no mark variable", async () => {
  const group = await startShell("env", "");
  assert.doesNotMatch(await text(group.stdout), /HOTPLUG_SERVER/);
  await endShell(group, "");
});

Deno.test("the exit status of a program is reported, and output after it is still read", async () => {
  const mark = newMark();
  const group = await startShell("echo last words; exit 7", mark);
  assert.deepEqual(await group.exited, { code: 7, signal: null });
  assert.equal(group.isAlive(), false);
  assert.equal(await text(group.stdout), "last words\n");
  await endShell(group, mark);
});

Deno.test("the exit is reported although a grandchild holds the output open", async () => {
  const mark = newMark();
  const group = await startShell("sleep 60 & exit 3", mark);
  assert.deepEqual(await group.exited, { code: 3, signal: null });
  assert.equal(group.isAlive(), true);
  await endShell(group, mark, { stdinGraceMs: 10 });
});

Deno.test("the signal that ends a program is reported", async () => {
  const mark = newMark();
  const group = await startShell("exec sleep 60", mark);
  assert.equal(group.signal("SIGTERM"), true);
  assert.deepEqual(await group.exited, { code: null, signal: "SIGTERM" });
  await endShell(group, mark);
});

Deno.test("a signal can follow one that was ignored", async () => {
  const mark = newMark();
  const group = await startShell("trap '' TERM; echo ready; while :; do sleep 60; done", mark);
  await firstOutput(group.stdout);
  assert.equal(group.signal("SIGTERM"), true);
  assert.equal(group.signal("SIGKILL"), true);
  assert.deepEqual(await group.exited, { code: null, signal: "SIGKILL" });
  await endShell(group, mark);
});

Deno.test("a signal reaches the children of a wrapper [B01]", async () => {
  const mark = newMark();
  const group = await startShell("sleep 60 & echo $!; wait", mark);
  const child = Number(await firstOutput(group.stdout));
  assert.equal(isRunning(child), true);
  group.signal("SIGKILL");
  await group.exited;
  await endShell(group, mark);
  assert.equal(isRunning(child), false);
});

Deno.test("a program that has ended takes no signal and does no harm [B15]", async () => {
  const mark = newMark();
  const group = await startShell("exit 0", mark);
  await group.exited;
  assert.equal(group.signal("SIGTERM"), false);
  assert.equal(group.signal("SIGKILL"), false);
  await endShell(group, mark);
  await endShell(group, mark);
});

Deno.test("writing to a program that has ended fails without an unhandled error", async () => {
  const mark = newMark();
  const group = await startShell("exec <&-; echo closed; sleep 60", mark);
  await firstOutput(group.stdout);
  const failure = await new Promise<unknown>((resolve) => {
    // More than a pipe holds, so that it cannot be swallowed by the buffer.
    group.stdin.write("x".repeat(1_000_000), resolve);
  });
  assert.equal((failure as { code?: unknown }).code, "EPIPE");
  await endShell(group, mark, { stdinGraceMs: 0 });
});

Deno.test("a program that is not there is named in the error", async () => {
  await assertStartFails(
    { program: "/no/such/program", cwd: "/" },
    "program-not-found",
    'Cannot start "/no/such/program": it does not exist (ENOENT)',
  );
});

Deno.test("a file that is not executable is named in the error", async () => {
  await withTempFolder(async (folder) => {
    const program = join(folder, "plain.txt");
    await writeFile(program, "text", { mode: 0o644 });
    await assertStartFails(
      { program, cwd: "/" },
      "program-not-found",
      `Cannot start "${program}": permission denied (EACCES)`,
    );
  });
});

Deno.test("a script whose interpreter is missing is not called missing itself", async () => {
  await withTempFolder(async (folder) => {
    const program = join(folder, "script");
    await writeFile(program, "#!/no/such/interpreter\n", { mode: 0o755 });
    await assertStartFails(
      { program, cwd: "/" },
      "program-not-found",
      `Cannot start "${program}": the interpreter that its first line names does not exist`,
    );
  });
});

Deno.test("a missing working folder is not blamed on the program", async () => {
  await withTempFolder(async (folder) => {
    const cwd = join(folder, "gone");
    await assertStartFails(
      { program: "/bin/sh", cwd },
      "config-invalid",
      `Cannot start "/bin/sh": the working folder "${cwd}" does not exist`,
    );
    await writeFile(cwd, "a file");
    await assertStartFails(
      { program: "/bin/sh", cwd },
      "config-invalid",
      `Cannot start "/bin/sh": the working folder "${cwd}" is not a folder`,
    );
  });
});

Deno.test("an argument that no system can pass is refused", async () => {
  const error = await startError({ program: "/bin/sh", cwd: "/", args: ["a\0b"] });
  assert.equal(error.code, "config-invalid");
});

Deno.test("a program runs in the working folder it was given", async () => {
  await withTempFolder(async (folder) => {
    const cwd = join(folder, "with space");
    await mkdir(cwd);
    const group = await spawnGroup({
      program: "/bin/sh",
      args: ["-c", "echo here > proof"],
      cwd,
      env: environment(),
      mark: "",
    });
    await group.exited;
    await endShell(group, "");
    assert.equal(await readFile(join(cwd, "proof"), "utf8"), "here\n");
  });
});

Deno.test("a group is apart from ours: its first process leads it", async () => {
  const mark = newMark();
  const group = await startShell("echo ready; sleep 60", mark);
  await firstOutput(group.stdout);
  assert.equal(groupProcesses(group.pid).includes(group.pid), true);
  assert.equal(groupProcesses(group.pid).includes(Deno.pid), false);
  await endShell(group, mark, { stdinGraceMs: 0 });
});

async function assertStartFails(
  options: { readonly program: string; readonly cwd: string },
  code: string,
  message: string,
): Promise<void> {
  const error = await startError(options);
  assert.equal(error.message, message);
  assert.equal(error.code, code);
  assert.notEqual(error.hint, null);
}

async function startError(
  options: { readonly program: string; readonly cwd: string; readonly args?: readonly string[] },
): Promise<HotplugError> {
  try {
    await spawnGroup({ args: [], env: environment(), mark: "", ...options });
  } catch (thrown) {
    assert.ok(thrown instanceof HotplugError);
    return thrown;
  }
  return assert.fail("the program was started");
}

function firstOutput(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => stream.once("data", (chunk) => resolve(String(chunk))));
}
