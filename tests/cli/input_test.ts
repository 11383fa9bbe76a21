import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { ask, readAll } from "../../src/cli/input.ts";

const never = new AbortController().signal;

async function* chunks(
  ...parts: readonly (string | Uint8Array)[]
): AsyncGenerator<Uint8Array | string> {
  for (const part of parts) yield await Promise.resolve(part);
}

Deno.test("stdin is read whole, characters split between chunks included", async () => {
  const bytes = new TextEncoder().encode("é");
  assert.equal(await readAll(chunks("a", bytes.slice(0, 1), bytes.slice(1)), never), "aé");
});

Deno.test("stdin that is no UTF-8 is refused", async () => {
  await assert.rejects(readAll(chunks(new Uint8Array([0xff, 0xfe])), never), {
    code: "bad-arguments",
  });
});

Deno.test("a signal ends the reading of stdin", async () => {
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<string> {
    await new Promise(() => {});
    yield "";
  }
  const reading = readAll(silent(), controller.signal);
  controller.abort();
  await assert.rejects(reading, { code: "aborted" });
});

Deno.test("a question is answered by a line, and by nothing when the input ends", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const asking = ask(input, output, "Sure? ", never);
  input.write("yes\n");
  assert.equal(await asking, "yes");
  assert.match(String(output.read()), /Sure\? /);
  const ended = new PassThrough();
  const other = ask(ended, new PassThrough(), "Sure? ", never);
  ended.end();
  assert.equal(await other, "");
});

Deno.test("a signal ends a question", async () => {
  const controller = new AbortController();
  const asking = ask(new PassThrough(), new PassThrough(), "Sure? ", controller.signal);
  controller.abort();
  await assert.rejects(asking, { code: "aborted" });
});
