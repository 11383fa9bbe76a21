import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { StdioTransport } from "../../src/connection/stdio_transport.ts";
import type { ProcessExit } from "../../src/platform/process_group.ts";

Deno.test("a server that floods its stdout lets everybody else have a turn between two chunks", async () => {
  const note = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message" })}\n`;
  const chunks = 50;
  // It has the next chunk ready whenever it is asked.
  const stdout = Readable.from(
    Array.from({ length: chunks }, () => new TextEncoder().encode(note.repeat(500))),
  );
  const read = new Promise((resolve) => stdout.once("end", resolve));
  const exit = Promise.withResolvers<ProcessExit>();
  const transport = new StdioTransport({
    name: "loud",
    group: {
      pid: 1,
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough().end(),
      exited: exit.promise,
      isAlive: () => true,
      signal: () => false,
    },
  });
  let messages = 0;
  transport.onmessage = () => void messages++;
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  await transport.start();
  await read;
  clearInterval(other);
  exit.resolve({ code: 0, signal: null });
  await transport.ended;
  assert.equal(messages, chunks * 500);
  assert.ok(turns >= chunks / 2, `${turns} turns`);
});
