import assert from "node:assert/strict";
import { join } from "node:path";

import { HotplugError } from "../../src/model/errors.ts";
import { runShellCommand } from "../../src/platform/shell_command.ts";
import {
  environment,
  eventually,
  groupProcesses,
  isRunning,
  withTempFolder,
} from "./real_processes.ts";

const OPTIONS = { cwd: "/", env: { ...environment(), NAME: "value" } };

Deno.test("a command's output is given without white space around it", async () => {
  assert.equal(await runShellCommand(`echo "  $NAME"; pwd; echo`, OPTIONS), "value\n/");
  assert.equal(await runShellCommand("printf 'ä😀'", OPTIONS), "ä😀");
});

Deno.test("a command that prints nothing is a failure, not an empty value", async () => {
  const error = await failure("echo not signed in >&2; echo");
  assert.equal(error.message, "Cannot run the command: it printed nothing");
  assert.equal(error.stderr, "not signed in");
});

Deno.test("a command has no input to wait for", async () => {
  assert.equal(await runShellCommand("cat; echo done", OPTIONS), "done");
});

Deno.test("a command that fails gives its status and last error line, not its output", async () => {
  const error = await failure("echo secret; echo first >&2; echo 'no such item' >&2; exit 3");
  assert.equal(error.code, "command-failed");
  assert.equal(error.message, "Cannot run the command: it ended with status 3");
  assert.equal(error.processExitCode, 3);
  assert.equal(error.stderr, "no such item");
  assert.doesNotMatch(JSON.stringify(error.toInfo()), /secret/);
});

Deno.test("a command that is killed names the signal", async () => {
  const error = await failure("kill -9 $$");
  assert.equal(error.message, "Cannot run the command: it was ended by SIGKILL");
});

Deno.test("a command that takes too long is killed with all that it started", async () => {
  await withTempFolder(async (folder) => {
    const file = join(folder, "pid");
    const began = performance.now();
    const error = await failure(
      `trap '' TERM; sleep 60 & echo $! > ${file}; sleep 60`,
      { timeoutMs: 100 },
    );
    assert.equal(error.message, "Cannot run the command: it did not end within 0.1 s");
    assert.ok(performance.now() - began < 2_000);
    assert.equal(isRunning(Number(await Deno.readTextFile(file))), false);
  });
});

Deno.test("a command ends when the caller gives up", async () => {
  const caller = new AbortController();
  const began = performance.now();
  const running = failure("sleep 60", { signal: caller.signal });
  setTimeout(() => caller.abort(), 20);
  assert.equal((await running).code, "aborted");
  assert.equal((await failure("echo", { signal: caller.signal })).code, "aborted");
  assert.ok(performance.now() - began < 2_000);
});

Deno.test("what a command leaves in the background is not waited for and ends with it", async () => {
  const began = performance.now();
  const group = Number(await runShellCommand("sleep 60 & echo $$", OPTIONS));
  assert.ok(performance.now() - began < 2_000);
  await eventually(() => groupProcesses(group).length === 0);
});

Deno.test("an agent that made itself a group of its own lives on", async () => {
  const agent = Number(
    await runShellCommand(
      `deno eval --quiet '
        const { spawn } = await import("node:child_process");
        const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
        console.log(child.pid);
        child.unref();
        Deno.exit();'`,
      OPTIONS,
    ),
  );
  assert.equal(isRunning(agent), true);
  Deno.kill(agent, "SIGKILL");
});

Deno.test("a command that prints without end is stopped", async () => {
  const error = await failure("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done");
  assert.equal(error.message, "Cannot run the command: it printed more than 1048576 bytes");
});

async function failure(
  command: string,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<HotplugError> {
  try {
    await runShellCommand(command, { ...OPTIONS, ...options });
  } catch (thrown) {
    assert.ok(thrown instanceof HotplugError);
    return thrown;
  }
  return assert.fail("the command succeeded");
}
