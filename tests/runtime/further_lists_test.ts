import assert from "node:assert/strict";
import { warningsAfter } from "../../src/runtime/further_lists.ts";

Deno.test("a list that can be read again is warned of no more, and each failure once", () => {
  const before = ["Something else", "resources could not be listed: Timeout after 1 s"];
  assert.deepEqual(warningsAfter(before, ["resources", "prompts"], []), ["Something else"]);
  assert.deepEqual(warningsAfter(before, ["prompts", "resourceTemplates"], []), before);
  const failed = ["resources could not be listed: Timeout after 2 s"];
  assert.deepEqual(warningsAfter(before, ["resources"], failed), ["Something else", ...failed]);
});
