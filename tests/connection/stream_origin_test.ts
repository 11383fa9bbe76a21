import assert from "node:assert/strict";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { MessageExtra } from "../../src/connection/message_extra.ts";
import { tellOrigins, withOrigin } from "../../src/connection/stream_origin.ts";

/** What a listener gets of the text of a message. */
function told(text: string): { readonly message: unknown; readonly origin: unknown } {
  const transport = {} as Transport;
  tellOrigins(transport);
  let seen: { message: unknown; origin: unknown } | null = null;
  transport.onmessage = (message, extra: MessageExtra = {}) =>
    seen = { message, origin: extra.originId ?? null };
  transport.onmessage(JSON.parse(text) as JSONRPCMessage);
  assert.ok(seen !== null);
  return seen;
}

Deno.test("a server's own message is told with the stream that it came on, and as it was", () => {
  for (
    const message of [
      { jsonrpc: "2.0", id: 1, method: "roots/list", params: { _meta: { a: 1 }, b: [2] } },
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "ü" } },
    ]
  ) {
    const marked = withOrigin(` ${JSON.stringify(message)}`, "hp-7");
    assert.ok(marked !== null);
    assert.deepEqual(told(marked), { message, origin: "hp-7" });
    // What another stream may have been made to say counts no more.
    assert.deepEqual(told(withOrigin(marked, 8) ?? ""), { message, origin: 8 });
    assert.deepEqual(told(JSON.stringify(message)), { message, origin: null });
  }
});

Deno.test("answers, and what cannot be read, stay as they are", () => {
  for (
    const text of [
      '{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\\"method\\""}}',
      '{"jsonrpc":"2.0","method":"x","params":[1]}',
      '{"jsonrpc":"2.0","method":"x",',
      '[{"jsonrpc":"2.0","method":"x"}]',
      "null",
    ]
  ) assert.equal(withOrigin(text, 1), null, text);
});
