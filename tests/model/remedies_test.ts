import assert from "node:assert/strict";
import { remedyForDisabled, remedyForMissing, remedyForOff } from "../../src/model/remedies.ts";

Deno.test("a remedy is a command that a shell takes, whatever the name", () => {
  assert.match(remedyForDisabled("db"), /mcp enable db$/);
  const odd = "it's $(touch x)";
  for (const text of [remedyForDisabled(odd), remedyForMissing(odd), remedyForOff(odd, "/x")]) {
    assert.ok(text.includes(String.raw`'it'\''s $(touch x)'`), text);
  }
});

Deno.test("a remedy for a server that comes from no file names no command", () => {
  assert.doesNotMatch(remedyForOff("x", null), /null|mcp /);
});
