import assert from "node:assert/strict";
import { ViaMarks } from "../../src/gateway/via_marks.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Answer } from "../../src/gateway/rpc.ts";

const KEY = "dev.hotplug/via";

function resultOf(answer: Answer): JsonObject {
  assert.ok("result" in answer);
  return answer.result;
}

Deno.test("every kind of list is marked, after the marks that its items have", () => {
  const marks = new ViaMarks("own");
  const lists = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
  };
  for (const [method, field] of Object.entries(lists)) {
    const items = [{ name: "a" }, { name: "b", _meta: { x: 1, [KEY]: ["far"] } }];
    const result = resultOf(marks.answer(method, { result: { [field]: items, ttlMs: 0 } }));
    assert.deepEqual(result, {
      ttlMs: 0,
      [field]: [
        { name: "a", _meta: { [KEY]: ["own"] } },
        { name: "b", _meta: { x: 1, [KEY]: ["far", "own"] } },
      ],
    });
    assert.deepEqual(items[0], { name: "a" }, "the list itself was changed");
  }
});

Deno.test("everything else stays as it is, and the same list is marked once", () => {
  const marks = new ViaMarks("own");
  const call: Answer = { result: { tools: [{ name: "a" }] } };
  assert.equal(marks.answer("tools/call", call), call);
  const failed: Answer = { error: { code: 1, message: "no" } };
  assert.equal(marks.answer("tools/list", failed), failed);
  const odd: Answer = { result: { tools: "none" } };
  assert.equal(marks.answer("tools/list", odd), odd);
  const tools = [{ name: "a" }];
  const list = (): unknown => resultOf(marks.answer("tools/list", { result: { tools } }))["tools"];
  assert.equal(list(), list());
});
