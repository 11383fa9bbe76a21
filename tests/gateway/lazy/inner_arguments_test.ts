import assert from "node:assert/strict";
import { innerArguments } from "../../../src/gateway/lazy/inner_arguments.ts";

Deno.test("arguments are an object, or the text of one, once or twice wrapped", () => {
  const args = { a: 1 };
  const text = JSON.stringify(args);
  for (const given of [args, text, JSON.stringify(text), ` ${text}\n`]) {
    assert.deepEqual(innerArguments(given), args);
  }
});

Deno.test("no arguments in whatever form are none", () => {
  for (const given of [undefined, null, {}, "", "  ", "{}", "null"]) {
    assert.deepEqual(innerArguments(given), {});
  }
});

Deno.test("what is no object is no arguments", () => {
  for (const given of [1, true, [], "[]", "1", "path=x", '{"a":', ["{}"]]) {
    assert.equal(innerArguments(given), null, JSON.stringify(given));
  }
});
