import assert from "node:assert/strict";
import fc from "fast-check";
import { PatchedText } from "../../src/formats/patched_text.ts";
import { applyPatches, inversePatches, type TextPatch } from "../../src/formats/text_patch.ts";

/** Patches for a text of some length, sorted and not overlapping. */
function anyPatches(length: number): fc.Arbitrary<readonly TextPatch[]> {
  const cuts = fc.uniqueArray(fc.nat({ max: length }), { minLength: 0, maxLength: 6 });
  return fc.tuple(cuts, fc.array(fc.string({ maxLength: 3 }), { minLength: 3, maxLength: 3 })).map(
    ([offsets, texts]) => {
      const sorted = offsets.toSorted((a, b) => a - b);
      return texts.flatMap((text, index): readonly TextPatch[] => {
        const [start, end] = sorted.slice(index * 2, index * 2 + 2);
        return start === undefined || end === undefined
          ? []
          : [{ offset: start, length: end - start, text }];
      });
    },
  );
}

Deno.test("inverse patches bring back the text to the byte", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20 }).chain((text) =>
        fc.tuple(fc.constant(text), anyPatches(text.length))
      ),
      ([text, patches]) => {
        const changed = applyPatches(text, patches);
        assert.equal(applyPatches(changed, inversePatches(text, patches)), text);
      },
    ),
  );
});

Deno.test("patches that overlap or leave the text are refused", () => {
  const patch = (offset: number, length: number): TextPatch => ({ offset, length, text: "x" });
  assert.throws(() => applyPatches("abc", [patch(0, 2), patch(1, 1)]), RangeError);
  assert.throws(() => applyPatches("abc", [patch(2, 2)]), RangeError);
  assert.equal(applyPatches("abc", [patch(1, 0), patch(2, 1)]), "axbx");
});

Deno.test("patches on patches are one set of patches on the original", () => {
  fc.assert(fc.property(
    fc.string({ maxLength: 20 }).chain((text) =>
      anyPatches(text.length).chain((first) =>
        fc.tuple(
          fc.constant(text),
          fc.constant(first),
          anyPatches(applyPatches(text, first).length),
        )
      )
    ),
    ([text, first, second]) => {
      const patched = new PatchedText(text);
      patched.apply(first);
      patched.apply(second);
      assert.equal(patched.text, applyPatches(applyPatches(text, first), second));
      assert.equal(applyPatches(text, patched.patches()), patched.text);
    },
  ));
});

Deno.test("a patch leaves alone what it would write anew, and pairs of surrogates whole", () => {
  const patched = new PatchedText("one two three");
  patched.apply([{ offset: 0, length: 13, text: "one 2 three" }]);
  assert.deepEqual(patched.patches(), [{ offset: 4, length: 3, text: "2" }]);
  const pair = new PatchedText("x😀y");
  pair.apply([{ offset: 1, length: 2, text: "😁" }]);
  assert.deepEqual(pair.patches(), [{ offset: 1, length: 2, text: "😁" }]);
});
