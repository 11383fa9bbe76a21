import assert from "node:assert/strict";
import { painter, wantsColour } from "../../src/cli/colour.ts";

Deno.test("colour is for terminals, and the environment has the last word", () => {
  const cases: readonly (readonly [boolean, Record<string, string>, boolean])[] = [
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ];
  for (const [terminal, env, wanted] of cases) {
    assert.equal(wantsColour(terminal, env), wanted, JSON.stringify({ terminal, env }));
  }
});

Deno.test("a painter closes what it opens, and does nothing when colour is off", () => {
  assert.equal(painter(true)("red", "no"), "\x1b[31mno\x1b[39m");
  assert.equal(painter(true)("red", ""), "");
  assert.equal(painter(false)("red", "no"), "no");
});
