import assert from "node:assert/strict";
import { orAborted, within } from "../../src/cli/running.ts";
import { endOnSignals } from "../../src/cli/signals.ts";

/** A process whose signals a test sends. */
function testProcess(): {
  readonly on: (event: string, listener: () => void) => void;
  readonly exit: (code: number) => void;
  readonly send: (event: string) => void;
  readonly exits: number[];
} {
  const listeners = new Map<string, () => void>();
  const exits: number[] = [];
  return {
    on: (event, listener) => void listeners.set(event, listener),
    exit: (code) => void exits.push(code),
    send: (event) => listeners.get(event)?.(),
    exits,
  };
}

Deno.test("each signal ends the program with its own exit code", () => {
  for (const [name, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    const process = testProcess();
    const ending = endOnSignals(process);
    assert.equal(ending.exitCode(), null);
    process.send(name);
    assert.equal(ending.signal.aborted, true);
    assert.equal(ending.exitCode(), code);
    assert.deepEqual(process.exits, []);
  }
});

Deno.test("a second signal ends the process at once", () => {
  const process = testProcess();
  const ending = endOnSignals(process);
  process.send("SIGTERM");
  process.send("SIGINT");
  assert.deepEqual(process.exits, [130]);
  assert.equal(ending.exitCode(), 143);
});

Deno.test("waiting is bounded and leaves no timer", async () => {
  assert.equal(await within(Promise.resolve(), 60_000), true);
  assert.equal(await within(new Promise(() => {}), 0), false);
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), /no/);
});

Deno.test("an abort ends the waiting at once", async () => {
  const controller = new AbortController();
  const waiting = orAborted(new Promise(() => {}), controller.signal);
  controller.abort();
  await assert.rejects(waiting, { code: "aborted" });
  await assert.rejects(orAborted(Promise.resolve(1), controller.signal), { code: "aborted" });
  assert.equal(await orAborted(Promise.resolve(1), new AbortController().signal), 1);
});
