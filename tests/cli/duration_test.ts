import assert from "node:assert/strict";
import { parseDuration, shownDuration } from "../../src/cli/duration.ts";

Deno.test("durations carry a unit, and a plain number means seconds", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["250ms", 250],
    ["5s", 5_000],
    ["5", 5_000],
    ["1.5m", 90_000],
    ["2H", 7_200_000],
    ["0", 0],
    [" 3 s ", 3_000],
  ];
  for (const [text, milliseconds] of cases) assert.equal(parseDuration(text), milliseconds, text);
});

Deno.test("what is no duration is refused with the form that is wanted", () => {
  for (const text of ["", "abc", "-1s", "5 days", "1e3", "s", "Infinity"]) {
    assert.throws(() => parseDuration(text), { name: "SyntaxError", message: /250ms, 5s or 2m/ });
  }
  assert.throws(() => parseDuration("600h"), /longer than 24 days/);
});

Deno.test("durations are shown in at most two units", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0ms"],
    [-5, "0ms"],
    [999.4, "999ms"],
    [1_000, "1.0s"],
    [59_940, "59.9s"],
    [59_960, "1m00s"],
    [125_000, "2m05s"],
    [3_599_900, "1h00m"],
    [11_400_000, "3h10m"],
    [187_200_000, "2d4h"],
  ];
  for (const [milliseconds, text] of cases) assert.equal(shownDuration(milliseconds), text);
});
