import assert from "node:assert/strict";
import { keepResultText } from "../../src/connection/result_text.ts";
import { messageText } from "../../src/gateway/message_text.ts";
import { modernResult } from "../../src/gateway/protocol_versions.ts";

const BIG = '{"content":[],"structuredContent":{"n":12345678901234567890}}';

Deno.test("messageText() writes a result as its server did, numbers of any size included", () => {
  const result = JSON.parse(BIG);
  keepResultText(result, BIG);
  assert.equal(
    messageText({ jsonrpc: "2.0", id: 'a"b', result }),
    `{"jsonrpc":"2.0","id":"a\\"b","result":${BIG}}`,
  );
  assert.equal(
    messageText({ jsonrpc: "2.0", id: 1, result: modernResult(result) }),
    `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",${BIG.slice(1)}}`,
  );
});

Deno.test("messageText() writes JSON also for a result without members", () => {
  const result = {};
  keepResultText(result, "{ }");
  const text = messageText({ jsonrpc: "2.0", id: 1, result: modernResult(result) }) ?? "";
  assert.deepEqual(JSON.parse(text), {
    jsonrpc: "2.0",
    id: 1,
    result: { resultType: "complete" },
  });
});
