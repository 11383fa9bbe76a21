import assert from "node:assert/strict";
import { inputRequest, relayedQuestion } from "../../../src/gateway/bridge/relayed_question.ts";

Deno.test("a question goes to a host as it is, but for the name of its progress", () => {
  const params = { message: "?", _meta: { trace: "t" } };
  assert.equal(relayedQuestion(params), params);
  assert.deepEqual(
    relayedQuestion({ message: "?", _meta: { trace: "t", progressToken: 0 } }),
    params,
  );
  assert.deepEqual(relayedQuestion({ _meta: { progressToken: 0 } }), {});
});

Deno.test("in a result it is a request of the modern era", () => {
  assert.deepEqual(inputRequest("roots/list", { _meta: { progressToken: 3 } }), {
    method: "roots/list",
  });
  const page = { mode: "url", url: "https://example.com/", message: "Look" };
  assert.deepEqual(inputRequest("elicitation/create", { ...page, elicitationId: "e" }), {
    method: "elicitation/create",
    params: page,
  });
});
