import assert from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, type JsonValue } from "../../src/model/json.ts";
import { editText, type TextChange } from "../../src/formats/edit_text.ts";
import { parseText, type TextFormat } from "../../src/formats/parse_text.ts";
import { applyPatches, inversePatches } from "../../src/formats/text_patch.ts";
import { anyKey, anyObject, anyValue, Choices, pathsOf, valueIn } from "./random_text.ts";

/** Edits a text that can be edited. */
export async function edited(
  text: string,
  format: TextFormat,
  changes: readonly TextChange[],
): Promise<string> {
  const result = await editText(text, format, changes);
  assert.ok(result.ok, result.ok ? "" : `${result.message}: ${JSON.stringify({ text, changes })}`);
  assert.equal(applyPatches(text, result.patches), result.text);
  assert.equal(applyPatches(result.text, inversePatches(text, result.patches)), text);
  let end = -1;
  for (const { offset, length } of result.patches) {
    assert.ok(offset > end, "sorted, and not touching");
    end = offset + length;
  }
  return result.text;
}

/** The value of a text, `{}` for an empty one. */
export async function valueOf(text: string, format: TextFormat): Promise<JsonValue> {
  const result = await parseText(text, format);
  assert.ok(result.ok, result.ok ? "" : `${result.message}: ${JSON.stringify(text)}`);
  return result.document.isEmpty ? {} : result.document.value;
}

/** Whether a change is one that a format has no way to write. */
async function isRefused(
  text: string,
  format: TextFormat,
  path: readonly string[],
  value: JsonValue,
): Promise<boolean> {
  const result = await editText(text, format, [{ path, value }]);
  return !result.ok && /every item of this list is a table/.test(result.message);
}

/** Whether a change only puts something in. In YAML the first entry takes the place of `{}`. */
async function isInsertion(
  text: string,
  format: TextFormat,
  path: readonly string[],
  value: JsonValue,
): Promise<boolean> {
  const result = await editText(text, format, [{ path, value }]);
  return result.ok && result.patches.every(({ length }) => length === 0);
}

/** Comments of generated texts bear a number. */
function commentsIn(text: string): readonly string[] {
  return text.match(/§\d+ /g) ?? [];
}

/** What stands before the key at a path. */
async function textBefore(
  text: string,
  format: TextFormat,
  path: readonly string[],
): Promise<string> {
  const result = await parseText(text, format);
  const place = result.ok ? await result.document.placeOf(path) : null;
  assert.ok(place !== null);
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/).slice(0, place.line - 1);
  return lines.join("");
}

/** What holds for every text of a format and every change. */
export function editingRules(
  format: TextFormat,
  write: (value: JsonValue, choices: Choices) => string,
  nulls: boolean,
): void {
  const seed = fc.integer({ min: 0, max: 0xffffffff });
  const root = anyObject(3, nulls);
  const check = async (
    body: (
      text: string,
      value: JsonValue,
      choices: Choices,
      extra: JsonValue,
      key: string,
    ) => Promise<void>,
  ): Promise<void> => {
    await fc.assert(
      fc.asyncProperty(root, seed, anyValue(2, nulls), anyKey, async (value, one, extra, key) => {
        const choices = new Choices(one);
        await body(write(value, choices), value, choices, extra, key);
      }),
      { numRuns: 300 },
    );
  };
  const pick = (choices: Choices, paths: readonly (readonly string[])[]): readonly string[] =>
    paths[choices.upTo(paths.length)] ?? [];

  Deno.test(`${format}: generated texts read as what was written`, async () => {
    await check(async (text, value) => assert.deepEqual(await valueOf(text, format), value));
  });

  Deno.test(`${format}: what is added and removed again leaves the very same text`, async () => {
    await check(async (text, value, choices, extra, key) => {
      const objects = pathsOf(value).filter((path) => {
        const at = valueIn(value, path);
        return Array.isArray(at) || (isJsonObject(at) && !Object.hasOwn(at, key));
      });
      if (objects.length === 0) return;
      const parent = pick(choices, objects);
      const at = valueIn(value, parent);
      const path = [...parent, Array.isArray(at) ? String(at.length) : key];
      // Objects on the way are made as well; they go with the outermost one.
      const deep = Array.isArray(at) ? path : [...path, ...["made", "here"].slice(choices.upTo(3))];
      if (await isRefused(text, format, deep, extra)) return;
      const added = await edited(text, format, [{ path: deep, value: extra }]);
      // Tables take the place of brackets.
      const opens = format === "yaml" ||
        (format === "toml" && Array.isArray(at) && at.length === 0 && isJsonObject(extra));
      if (!opens) assert.ok(await isInsertion(text, format, deep, extra));
      assert.deepEqual(valueIn(await valueOf(added, format), deep), extra);
      assert.deepEqual(commentsIn(added), commentsIn(text));
      const removed = await edited(added, format, [{ path, value: undefined }]);
      if (removed === text) return;
      // An empty list comes back where its table keeps its keys.
      assert.ok(format === "toml" && opens, added);
      assert.deepEqual(await valueOf(removed, format), value);
      assert.deepEqual(commentsIn(removed).toSorted(), commentsIn(text).toSorted());
    });
  });

  Deno.test(`${format}: a removal takes the value and nothing else`, async () => {
    await check(async (text, value, choices) => {
      const path = pick(choices, pathsOf(value).slice(1));
      if (path.length === 0) return;
      const removed = await edited(text, format, [{ path, value: undefined }]);
      const parent = path.slice(0, -1);
      if (!Array.isArray(valueIn(value, parent))) {
        const above = commentsIn(await textBefore(text, format, path));
        assert.deepEqual(commentsIn(removed).slice(0, above.length), above);
      }
      const found = valueIn(await valueOf(removed, format), parent);
      const wanted = valueIn(value, parent);
      if (Array.isArray(wanted)) {
        assert.deepEqual(found, wanted.toSpliced(Number(path.at(-1)), 1));
      } else {
        assert.ok(isJsonObject(found) && isJsonObject(wanted));
        const rest = Object.entries(wanted).filter(([key]) => key !== path.at(-1));
        assert.deepEqual(found, Object.fromEntries(rest));
      }
    });
  });

  Deno.test(`${format}: a change of a scalar keeps all comments and can be taken back`, async () => {
    await check(async (text, value, choices, extra) => {
      if (typeof extra === "object") return;
      const scalars = pathsOf(value).filter((path) => {
        const at = valueIn(value, path);
        return typeof at !== "object" || at === null;
      });
      if (scalars.length === 0) return;
      const path = pick(choices, scalars);
      const changed = await edited(text, format, [{ path, value: extra }]);
      assert.deepEqual(commentsIn(changed), commentsIn(text));
      assert.deepEqual(valueIn(await valueOf(changed, format), path), extra);
      const back = await edited(changed, format, [{ path, value: valueIn(value, path) }]);
      assert.deepEqual(await valueOf(back, format), value);
    });
  });

  Deno.test(`${format}: any value can take the place of any other`, async () => {
    await check(async (text, value, choices, extra) => {
      const path = pick(choices, pathsOf(value).slice(1));
      if (path.length === 0 || await isRefused(text, format, path, extra)) return;
      const changed = await edited(text, format, [{ path, value: extra }]);
      assert.deepEqual(valueIn(await valueOf(changed, format), path), extra);
    });
  });

  Deno.test(`${format}: several changes do what they do one after the other`, async () => {
    await check(async (text, value, choices, extra, key) => {
      const paths = pathsOf(value).slice(1);
      const changes: readonly TextChange[] = [
        { path: [key], value: extra },
        { path: pick(choices, paths), value: undefined },
        { path: [key], value: undefined },
      ].filter(({ path }) => path.length > 0);
      const together = await editText(text, format, changes);
      let stepwise = text;
      for (const change of changes) {
        const result = await editText(stepwise, format, [change]);
        if (!result.ok) return;
        stepwise = result.text;
      }
      assert.ok(together.ok);
      assert.equal(together.text, stepwise);
      assert.equal(applyPatches(text, together.patches), stepwise);
    });
  });

  Deno.test(`${format}: an empty text becomes a new file`, async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, anyKey, anyValue(3, nulls), async (one, other, value) => {
        for (const text of ["", "\ufeff"]) {
          const made = await edited(text, format, [{ path: [one, other], value }]);
          assert.deepEqual(
            await valueOf(made, format),
            Object.fromEntries([[one, Object.fromEntries([[other, value]])]]),
          );
          assert.match(made, /[^\n]\n$/);
          assert.ok(made.startsWith(text));
        }
      }),
      { numRuns: 200 },
    );
  });
}
