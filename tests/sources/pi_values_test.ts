import assert from "node:assert/strict";
import fc from "fast-check";
import { parseTemplate } from "../../src/definitions/placeholder_syntax.ts";
import { fromPiValue, toPiValue } from "../../src/sources/pi_values.ts";

/** What pi makes of a value, told apart as plain text and variables. */
const MEANINGS: Readonly<Record<string, readonly (string | { readonly name: string })[]>> = {
  "plain": ["plain"],
  "$A": [{ name: "A" }],
  "${A}": [{ name: "A" }],
  "x$A_1-y": ["x", { name: "A_1" }, "-y"],
  "$$A": ["$A"],
  "a$!b": ["a!b"],
  "${A-b}": ["${A-b}"],
  "${": ["${"],
  "$${A}": ["${A}"],
  "$1": ["$1"],
  "a$": ["a$"],
  "${userHome}": [{ name: "userHome" }],
};

for (const [value, meaning] of Object.entries(MEANINGS)) {
  Deno.test(`pi's ${JSON.stringify(value)} means the same in the canonical syntax`, () => {
    const parts = parseTemplate(fromPiValue(value) ?? "", "hotplug", "env");
    const found = parts.map((part) => {
      assert.ok(part.kind === "text" || part.kind === "variable", part.kind);
      return part.kind === "text" ? part.text : { name: part.name };
    });
    assert.deepEqual(found, meaning);
  });
}

Deno.test("whatever a value of pi's is, it comes back meaning the same", () => {
  const piece = fc.constantFrom("$", "${", "}", "!", "A", "_b1", " ", "$$", "$!", "-", "é");
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const value = pieces.join("");
    const text = fromPiValue(value);
    if (text === null) return;
    const written = toPiValue(text);
    assert.notEqual(written, null);
    const parts = (one: string | null): unknown => parseTemplate(one ?? "", "hotplug", "env");
    assert.deepEqual(parts(fromPiValue(written ?? "")), parts(text));
  }));
});

Deno.test("what pi has no word for is not made up", () => {
  assert.equal(toPiValue("${A:-b}"), null);
  assert.equal(toPiValue("${workspaceFolder}"), null);
  for (const value of ["$!x", "$$$A", "$$${A}"]) assert.equal(fromPiValue(value), null);
  assert.equal(toPiValue("!run"), "!run");
});
