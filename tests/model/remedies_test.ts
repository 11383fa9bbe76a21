import assert from "node:assert/strict";
import { remedyForDisabled, remedyForMissing, remedyForOff } from "../../src/model/remedies.ts";

Deno.test("a remedy is a command that a shell takes, whatever the name", () => {
  assert.match(remedyForDisabled("db"), /mcp enable db$/);
  const odd = "it's $(touch x)";
  const inFile = remedyForOff(odd, { path: "/x", editable: true });
  for (const text of [remedyForDisabled(odd), remedyForMissing(odd), inFile]) {
    assert.ok(text.includes(String.raw`'it'\''s $(touch x)'`), text);
  }
});

Deno.test("a remedy for a server that comes from no file names no command", () => {
  assert.doesNotMatch(remedyForOff("x", { path: null, editable: false }), /null|mcp /);
});

Deno.test("a remedy for what no command switches on says where to do it by hand", () => {
  const place = { path: "/x", editable: false };
  assert.equal(remedyForOff("x", place), 'Switch it on in "/x"');
  assert.equal(remedyForOff("x", { ...place, byHand: "Ask" }), "Ask");
});
