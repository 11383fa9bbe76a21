import assert from "node:assert/strict";
import { validateServerConfig } from "../../src/definitions/validate.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

function messages(config: unknown, name = "s"): readonly string[] {
  return validateServerConfig(name, config as ServerConfig).map(({ message }) => message);
}

Deno.test("a runnable server has no problem, with or without a type", () => {
  assert.deepEqual(messages({ type: "stdio", command: "x" }), []);
  assert.deepEqual(messages({ command: "x", args: ["a"], env: { A: null } }), []);
  const urls = ["${P}", "$URL", "$URL/x", "https://$H:$PORT/", "$env:URL", "https://h:{env:P}/"];
  for (const url of ["https://h/${P}", "https://${{ secrets.H }}/", ...urls]) {
    assert.deepEqual(messages({ type: "sse", url }), [], url);
  }
  assert.equal(messages({ type: "sse", url: "$" }).length, 1);
});

Deno.test("a transport without what it needs says so in the agreed words", () => {
  assert.deepEqual(messages({ type: "stdio" }), ["stdio transport requires command"]);
  assert.deepEqual(messages({ type: "sse" }), ["sse transport requires url"]);
  assert.deepEqual(messages({ type: "streamable_http" }), [
    "streamable_http transport requires url",
  ]);
  assert.match(messages({}).join(), /neither "command" nor "url"/);
  assert.match(messages({ type: "ws" }).join(), /^Unknown type "ws"/);
});

Deno.test("the name is judged too", () => {
  assert.equal(messages({ command: "x" }, "-x").length, 1);
});

Deno.test("NUL characters and impossible variable names are named by field", () => {
  assert.deepEqual(messages({ command: "x\0", args: ["a", "b\0"], env: { K: "v\0" } }), [
    'Cannot use "command": it holds a NUL character',
    'Cannot use "args[1]": it holds a NUL character',
    'Cannot use "env.K": it holds a NUL character',
  ]);
  const [message] = messages({ command: "x", env: { "KEY=s3cret": "" } });
  assert.match(message ?? "", /"KEY…"/);
});

Deno.test("a config of wrong kinds is judged and not thrown at", () => {
  for (const config of [{ args: "x" }, { env: [] }, { command: 1 }, { url: {} }, { type: 7 }]) {
    assert.ok(messages(config).length > 0);
  }
});
