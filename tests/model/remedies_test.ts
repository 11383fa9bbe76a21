import assert from "node:assert/strict";
import {
  remedyForListedOff,
  remedyForMissing,
  remedyForOff,
  remedyForUnclaimed,
} from "../../src/model/remedies.ts";

Deno.test("a remedy names the file and what to write there", () => {
  const path = "/w/.hotplug/workspace.json";
  for (const remedy of [remedyForListedOff, remedyForUnclaimed, remedyForMissing]) {
    const text = remedy('odd "name', path);
    assert.ok(text.includes(JSON.stringify('odd "name')) && text.includes(path), text);
  }
  assert.ok(remedyForOff(path).includes(path));
});

Deno.test("a remedy without a file names none", () => {
  assert.doesNotMatch(remedyForOff(null) + remedyForUnclaimed("x", null), /null/);
});
