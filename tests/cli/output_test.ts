import assert from "node:assert/strict";
import { type OutputStream, streamOutput } from "../../src/cli/output.ts";

/** A stream whose writes a test completes. */
class TestStream implements OutputStream {
  readonly written: string[] = [];
  readonly done: ((error?: Error | null) => void)[] = [];
  onError: (error: Error) => void = () => {};
  write(text: string, done: (error?: Error | null) => void): void {
    this.written.push(text);
    this.done.push(done);
  }
  on(_event: "error", listener: (error: Error) => void): void {
    this.onError = listener;
  }
}

Deno.test("flush waits until every write has left", async () => {
  const stdout = new TestStream();
  const output = streamOutput(stdout, new TestStream(), {});
  output.stdout.write("a");
  output.stdout.write("b");
  let flushed = false;
  const flush = output.flush().then(() => flushed = true);
  stdout.done[0]?.();
  await Promise.resolve();
  assert.equal(flushed, false);
  stdout.done[1]?.();
  await flush;
  assert.deepEqual(stdout.written, ["a", "b"]);
});

Deno.test("a reader that goes away silences its stream and fails nothing", async () => {
  const stdout = new TestStream();
  const stderr = new TestStream();
  const output = streamOutput(stdout, stderr, {});
  output.stdout.write("a");
  stdout.done[0]?.(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  stdout.onError(new Error("write EPIPE"));
  output.stdout.write("b");
  output.stderr.write("still here");
  stderr.done[0]?.();
  await output.flush();
  assert.deepEqual(stdout.written, ["a"]);
  assert.deepEqual(stderr.written, ["still here"]);
});

Deno.test("a stream that throws counts as closed", async () => {
  const stdout = new TestStream();
  stdout.write = (): never => {
    throw new Error("closed");
  };
  const output = streamOutput(stdout, new TestStream(), {});
  output.stdout.write("a");
  await output.flush();
});

Deno.test("only a terminal has a size", () => {
  const terminal = Object.assign(new TestStream(), { isTTY: true, columns: 120, rows: 50 });
  const { stdout, stderr } = streamOutput(terminal, new TestStream(), {});
  assert.deepEqual([stdout.isTerminal, stdout.columns, stdout.rows], [true, 120, 50]);
  assert.deepEqual([stderr.isTerminal, stderr.columns, stderr.rows], [false, null, null]);
});
