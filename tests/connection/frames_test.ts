import assert from "node:assert/strict";
import { readFrame, readFrameError, repairedAnswer } from "../../src/connection/frames.ts";

Deno.test("messages are told from other JSON", () => {
  assert.equal(readFrame(42), null);
  assert.equal(readFrame([]), null);
  assert.equal(readFrame({ level: "info" }), null);
  assert.equal(readFrame({ method: "GET", url: "/" }), null);
  assert.equal(readFrame({ jsonrpc: "2.0" }), null);
  assert.equal(readFrame({ jsonrpc: "2.0", id: 0, method: "ping" })?.kind, "request");
  assert.equal(readFrame({ jsonrpc: "2.0", method: "x" })?.kind, "notification");
  assert.equal(readFrame({ id: 1, result: {} })?.kind, "result");
  assert.deepEqual(readFrame({ jsonrpc: "2.0", id: 1, result: null }), {
    kind: "result",
    id: 1,
    result: {},
  });
});

Deno.test("errors of any shape become a number and words [C29]", () => {
  assert.deepEqual(readFrameError({ code: -1, message: "m", data: [1] }), {
    code: -1,
    message: "m",
    data: [1],
  });
  assert.deepEqual(readFrameError({ code: "-32601" }), { code: -32601, message: "-32601" });
  assert.deepEqual(readFrameError("words"), { code: -32603, message: "words" });
  assert.deepEqual(readFrameError({ code: "E", message: "m" }).data, { code: "E" });
  assert.equal(readFrameError({}).message, "Unknown error");
});

Deno.test("only an answer that needs it is repaired", () => {
  const sound = { jsonrpc: "2.0", id: 1, error: { code: -1, message: "m" } };
  assert.equal(repairedAnswer(sound, 1), null);
  assert.equal(repairedAnswer({ jsonrpc: "2.0", id: 1, result: {} }, 1), null);
  assert.equal(repairedAnswer({ jsonrpc: "2.0", method: "x", error: 1 }, 1), null);
  assert.deepEqual(repairedAnswer({ error: "gone" }, "hp-1"), {
    jsonrpc: "2.0",
    id: "hp-1",
    error: { code: -32603, message: "gone" },
  });
  assert.deepEqual(repairedAnswer({ error: "gone" }, null), {
    jsonrpc: "2.0",
    error: { code: -32603, message: "gone" },
  });
});
