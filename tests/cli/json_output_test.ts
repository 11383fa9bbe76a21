import assert from "node:assert/strict";
import { errorDocument, jsonText } from "../../src/cli/json_output.ts";
import { HotplugError } from "../../src/model/errors.ts";

Deno.test("a document holds nothing that a terminal obeys, and loses nothing [H04]", () => {
  const value = { text: "\x1b[31m \u009b31m \u202eevil \u200b \u{e0041} \u2028 \x7f é 日本 👍🏽" };
  const text = jsonText(value);
  assert.doesNotMatch(
    text,
    // deno-lint-ignore no-control-regex -- control characters are what must not be there
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u{e0000}-\u{e007f}]/u,
  );
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /é 日本 👍🏽/);
});

Deno.test("a document ends with one line end", () => {
  assert.equal(jsonText({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}\n');
});

Deno.test("a failure's document has code, message, hint and all details", () => {
  const error = new HotplugError("server-exited", 'Cannot connect to "x": it exited', {
    hint: "Look at its log",
    processExitCode: 3,
    stderr: "boom",
    cause: new Error("inner"),
    details: { server: "x" },
  });
  assert.deepEqual(errorDocument(error), {
    schemaVersion: 1,
    error: {
      code: "server-exited",
      message: 'Cannot connect to "x": it exited',
      hint: "Look at its log",
      details: { server: "x", causes: ["inner"], processExitCode: 3, stderr: "boom" },
    },
  });
});
