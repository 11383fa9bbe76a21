import assert from "node:assert/strict";
import type { TextChange } from "../../src/formats/edit_text.ts";
import type { TextFormat } from "../../src/formats/parse_text.ts";
import { edited } from "./editing_rules.ts";

/** One edit of a file: what changes in its text, as pairs of what was and what is there. */
export interface EditCase {
  readonly name: string;
  readonly changes: readonly TextChange[];
  readonly replaced: readonly (readonly [was: string, is: string])[];
}

/** Checks edits of one realistic file, also with CR LF and without the last line end. */
export function checkEdits(
  format: TextFormat,
  file: string,
  text: string,
  cases: readonly EditCase[],
): void {
  for (const { name, changes, replaced } of cases) {
    Deno.test(`${file}: ${name}`, async () => {
      let wanted = text;
      for (const [was, is] of replaced) {
        assert.equal(wanted.split(was).length, 2, `"${was}" stands once in the text`);
        wanted = wanted.replace(was, () => is);
      }
      assert.equal(await edited(text, format, changes), wanted);
      const other = text.replaceAll("\n", "\r\n");
      assert.equal(await edited(other, format, changes), wanted.replaceAll("\n", "\r\n"));
      const open = text.trimEnd();
      assert.equal(await edited(open, format, changes), wanted.trimEnd());
    });
  }
}
