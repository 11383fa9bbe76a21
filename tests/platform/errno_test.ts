import assert from "node:assert/strict";
import { stat } from "node:fs/promises";

import { errnoOf, errnoText } from "../../src/platform/errno.ts";

Deno.test("an error of the system is told in words, with its name", async () => {
  const error = await stat("/no/such/file").catch((thrown: unknown) => thrown);
  assert.equal(errnoOf(error), "ENOENT");
  assert.equal(errnoText(error), "it does not exist (ENOENT)");
});

Deno.test("an error that is not known speaks for itself", () => {
  assert.equal(errnoText(Object.assign(new Error("odd"), { code: "EODD" })), "odd");
  assert.equal(errnoText("text"), "text");
  assert.equal(errnoOf(new Error("no code")), null);
  assert.equal(errnoOf(Object.assign(new Error("number"), { code: 5 })), null);
  assert.equal(errnoOf({ code: "ENOENT" }), null);
});
