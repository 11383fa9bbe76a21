import assert from "node:assert/strict";
import { plainAnswer } from "../../src/connection/plain_answer.ts";

const RESULT = '{"n": 12345678901234567890, "s":"\\u0161 } ,\\"result\\":{", "a":[1.0,{}] }';

Deno.test("an answer of a usual shape gives its result to the letter", () => {
  for (
    const line of [
      `{"jsonrpc":"2.0","id":"hp-12","result":${RESULT}}`,
      `{ "jsonrpc": "2.0", "id": "hp-12", "result": ${RESULT}}`,
      `{"result":${RESULT},"jsonrpc":"2.0","id":"hp-12"}`,
    ]
  ) {
    const plain = plainAnswer(line);
    assert.equal(plain?.text, RESULT);
    const { result, ...rest } = plain?.message as { result?: unknown };
    assert.deepEqual(rest, { jsonrpc: "2.0", id: "hp-12" });
    assert.deepEqual(result, JSON.parse(RESULT));
  }
});

Deno.test("no line passes off as a result what is more than one value", () => {
  for (
    const line of [
      '{"jsonrpc":"2.0","id":"hp-1","result":{},"id":"hp-2"}',
      '{"jsonrpc":"2.0","id":"hp-1","result":{},"result":{}}',
      '{"jsonrpc":"2.0","id":"hp-1","result":{},"error":{"code":1,"message":""}}',
      '{"jsonrpc":"2.0","id":"hp-1","result":{}} {"jsonrpc":"2.0","id":"hp-2","result":{}}',
      '{"result":{},"x":{},"jsonrpc":"2.0","id":"hp-1"}',
      '{"result":{},"jsonrpc":"2.0","id":"hp-2","jsonrpc":"2.0","id":"hp-1"}',
      '{"jsonrpc":"2.0","id":"hp-1","result":{}',
      '{"jsonrpc":"2.0","id":"hp-1","result":[]}',
      '{"jsonrpc":"2.0","id":"hp-1","result":null}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0",\u00a0"id":"hp-1","result":{}}',
      '{"jsonrpc":"2.0","id":"hp-1","result":{"a":\r{"jsonrpc":"2.0","id":7,"result":{}}\r}}',
      "{}",
    ]
  ) assert.equal(plainAnswer(line), null, line);
});
