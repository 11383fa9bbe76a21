import assert from "node:assert/strict";
import { hostFrames } from "../../src/gateway/host_frames.ts";

Deno.test("a host's lines become requests, notifications and answers", () => {
  const [request] = hostFrames('{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}');
  assert.deepEqual(request, { kind: "request", id: "a", method: "m", params: { x: 1 } });
  const [notification] = hostFrames('{"jsonrpc":"2.0","method":"n"}\r');
  assert.deepEqual(notification, { kind: "notification", method: "n", params: {} });
  assert.equal(hostFrames('{"jsonrpc":"2.0","id":1,"result":{}}')[0]?.kind, "result");
  assert.deepEqual(hostFrames("  "), []);
});

Deno.test("what is no message is told to the host with JSON-RPC's codes", () => {
  const cases: readonly [string, number, string | number | null][] = [
    ["{broken", -32700, null],
    ["nonsense", -32700, null],
    ["7", -32600, null],
    ["null", -32600, null],
    ["[]", -32600, null],
    ['{"jsonrpc":"2.0","id":3}', -32600, 3],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', -32600, null],
    ['{"jsonrpc":"2.0","id":4,"method":5}', -32600, 4],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}', -32600, null],
    ['{"jsonrpc":"2.0","id":-1e400,"method":"x"}', -32600, null],
    [`[${Array(1001).fill("{}").join(",")}]`, -32600, null],
  ];
  for (const [line, code, id] of cases) {
    const [frame] = hostFrames(line);
    assert.ok(frame?.kind === "invalid", line.slice(0, 50));
    assert.deepEqual([frame.code, frame.id], [code, id], line.slice(0, 50));
  }
});

Deno.test("the messages of an array stand by themselves", () => {
  const frames = hostFrames('[{"jsonrpc":"2.0","id":1,"method":"ping"},3]');
  assert.deepEqual(frames.map(({ kind }) => kind), ["request", "invalid"]);
});
