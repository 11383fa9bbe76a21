import assert from "node:assert/strict";
import { editText, type TextChange } from "../../src/formats/edit_text.ts";
import type { TextFormat } from "../../src/formats/parse_text.ts";

async function refusal(text: string, format: TextFormat, change: TextChange): Promise<string> {
  const result = await editText(text, format, [change]);
  assert.ok(!result.ok, `${JSON.stringify(text)} must be refused`);
  const { message, place } = result;
  return place === null ? message : `${message} at ${place.line}:${place.column}`;
}

Deno.test("a text that does not parse is refused with the place", async () => {
  const change = { path: ["a"], value: 1 };
  assert.equal(
    await refusal('{\n  "a": }', "jsonc", change),
    'expected a value, found "}" at 2:8',
  );
  assert.match(await refusal("a = 1\nb", "toml", change), /at 2:1$/);
  assert.match(await refusal("a: 1\n\tb: 2\n", "yaml", change), /at 2:\d+$/);
});

Deno.test("a parent that is no object, or no such position, is refused with its place", async () => {
  const inText = "expected an object to hold the change";
  const change = { path: ["a", "b", "c"], value: 1 };
  assert.equal(await refusal('{\n  "a": { "b": "x" }\n}', "jsonc", change), `${inText} at 2:10`);
  assert.equal(await refusal("[a]\nb = 1\n", "toml", change), `${inText} at 2:1`);
  assert.equal(await refusal("a:\n  b: 1\n", "yaml", change), `${inText} at 2:3`);
  const position = "expected a position from 0 to 1 in the list";
  for (const key of ["2", "x", "-1", "01"]) {
    const past = { path: ["a", key], value: 1 };
    assert.equal(await refusal('{"a": [1]}', "jsonc", past), `${position} at 1:2`);
    assert.equal(await refusal("a = [1]", "toml", past), `${position} at 1:1`);
    assert.equal(await refusal("a: [1]", "yaml", past), `${position} at 1:1`);
  }
});

Deno.test("what an alias repeats, and what it gives, is not edited in place", async () => {
  const own = "expected a value of its own, found";
  const text = "a: &x { b: { c: 1 } }\nd: *x\ne:\n  <<: *x\n";
  const set = (...path: readonly string[]): TextChange => ({ path, value: 2 });
  assert.equal(
    await refusal(text, "yaml", set("a", "b", "c")),
    'expected a value that nothing else uses, found the anchor "&x", which "*x" repeats ' +
      "(write it out there first) at 1:7",
  );
  assert.equal(
    await refusal(text, "yaml", set("d", "b", "c")),
    `${own} the alias "*x" (write out what it stands for first) at 2:4`,
  );
  assert.equal(
    await refusal(text, "yaml", set("d", "new")),
    `${own} the alias "*x" (write out what it stands for first) at 2:4`,
  );
  assert.equal(
    await refusal(text, "yaml", set("e", "b", "c")),
    'expected an entry of its own, found one that the merge key "<<: *x" brings ' +
      "(write out what it stands for first, or change that) at 4:3",
  );
  const replaced = await editText(text, "yaml", [set("d")]);
  assert.ok(replaced.ok);
  assert.equal(replaced.text, text.replace("*x\ne", "2\ne"));
});

Deno.test("what goes, or is replaced, holds no anchor that is used elsewhere", async () => {
  const text = "a:\n  env: &e { X: 1 }\n  own: *e\nb:\n  env: *e\n";
  for (const value of [undefined, 1]) {
    assert.equal(
      await refusal(text, "yaml", { path: ["a"], value }),
      'expected a value that nothing else uses, found the anchor "&e", which "*e" repeats ' +
        "(write it out there first) at 2:11",
    );
  }
  // The anchor goes with the only ones that use it; one of the same name further down stays.
  const within = "a:\n  env: &e { X: 1 }\n  own: *e\nc: &e 1\nd: *e\n";
  const removed = await editText(within, "yaml", [{ path: ["a"], value: undefined }]);
  assert.ok(removed.ok);
  assert.equal(removed.text, "c: &e 1\nd: *e\n");
});

Deno.test("a key that a merge key brings back is not removed, and it is said which", async () => {
  const brings = (merge: string): string =>
    `expected a key that is gone when it is removed, found the merge key "${merge}", which ` +
    "brings it too (write out what it stands for first, or change that) at 2:3";
  const change = { path: ["a", "x"], value: undefined };
  const text = (merge: string): string => `a:\n  <<: ${merge}\n  x: 2\n`;
  assert.equal(await refusal(text("{ x: 1 }"), "yaml", change), brings("<<"));
  assert.equal(await refusal(text("[{ y: 1 }, { <<: { x: 1 } }]"), "yaml", change), brings("<<"));
  const named = `z: { x: 1 }\n${text("*z")}`.replace("z: {", "z: &z {");
  assert.match(await refusal(named, "yaml", change), /found the merge key "<<: \*z", which/);
  const other = await editText(text("{ y: 1 }"), "yaml", [change]);
  assert.ok(other.ok);
  assert.equal(other.text, "a:\n  <<: { y: 1 }\n");
  assert.match(
    await refusal("a: {<<: {x: {y: 1}}}\n", "yaml", { path: ["a", "x", "y"], value: 2 }),
    /the merge key "<<" brings/,
  );
});

Deno.test("a key that stands twice is not removed, as the other one would show", async () => {
  const said = "expected the key once, found it again";
  const change = { path: ["a"], value: undefined };
  assert.equal(await refusal('{"a": 1,\n"a": 2}', "jsonc", change), `${said} at 2:1`);
  assert.equal(await refusal("a: 1\na: 2\n", "yaml", change), `${said} at 2:1`);
  const set = await editText('{"a": 1, "a": 2}', "jsonc", [{ path: ["a"], value: 3 }]);
  assert.ok(set.ok);
  assert.equal(set.text, '{"a": 1, "a": 3}');
});

Deno.test("removing what is not there, or setting what is there, changes nothing", async () => {
  const texts = { jsonc: '{"a":  {"b": [1]}}', toml: "a.b  = [1]", yaml: "a: {b:  [1]}" };
  for (const [format, text] of Object.entries(texts)) {
    const result = await editText(text, format as TextFormat, [
      { path: ["x"], value: undefined },
      { path: ["a", "x", "y"], value: undefined },
      { path: ["a", "b", "7"], value: undefined },
      { path: ["a"], value: { b: [1] } },
    ]);
    assert.deepEqual(result, { ok: true, text, patches: [] });
  }
});

Deno.test("properties that are undefined are not written", async () => {
  for (const format of ["jsonc", "toml", "yaml"] as const) {
    const result = await editText("", format, [{ path: ["a"], value: { b: undefined, c: 1 } }]);
    assert.ok(result.ok);
    assert.doesNotMatch(result.text, /b/);
  }
});

Deno.test("patches lie in the original text, after a byte order mark too", async () => {
  const result = await editText('\ufeff{"a": 1, "b": 2}', "jsonc", [
    { path: ["b"], value: 3 },
    { path: ["a"], value: undefined },
  ]);
  assert.deepEqual(result, {
    ok: true,
    text: '\ufeff{"b": 3}',
    patches: [{ offset: 2, length: 8, text: "" }, { offset: 15, length: 1, text: "3" }],
  });
});

Deno.test("a root that is no object is replaced whole, or refused", async () => {
  const result = await editText("[1]\n", "jsonc", [{ path: [], value: { a: 1 } }]);
  assert.ok(result.ok);
  assert.equal(result.text, '{\n  "a": 1\n}\n');
  assert.match(
    await refusal("[1]", "jsonc", { path: ["a"], value: 1 }),
    /^expected a position from 0 to 1/,
  );
  assert.match(await refusal("a = 1", "toml", { path: [], value: 3 }), /^expected an object/);
  assert.match(await refusal("a: 1", "yaml", { path: [], value: undefined }), /^expected a key/);
});
