import assert from "node:assert/strict";
import type { ParsedText } from "../../src/formats/parsed_text.ts";
import { parseText } from "../../src/formats/parse_text.ts";

async function read(text: string): Promise<ParsedText> {
  const result = await parseText(text, "yaml");
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.document;
}

async function fault(text: string): Promise<string> {
  const result = await parseText(text, "yaml");
  assert.ok(!result.ok, "the text must be refused");
  return `${result.message} at ${result.place.line}:${result.place.column}`;
}

Deno.test("every kind of line end and a byte order mark are read in YAML [A03] [A29]", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const document = await read(
      "\ufeff" + ["a: 1 # note", "b:", "- 2", "- |", "  x", ""].join(end),
    );
    assert.deepEqual(document.value, { a: 1, b: [2, "x\n"] }, JSON.stringify(end));
    assert.deepEqual(await document.placeOf(["b", 0]), { line: 3, column: 3 });
  }
});

Deno.test("a YAML text without a value is empty, and null is not [A10]", async () => {
  for (const text of ["", "\ufeff", " \r\n", "# nothing yet\n", "---\n", "---\n# a\n...\n"]) {
    const document = await read(text);
    assert.deepEqual([document.value, document.isEmpty], [null, true], JSON.stringify(text));
    assert.equal(await document.placeOf([]), null);
  }
  const { isEmpty, value } = await read("null");
  assert.deepEqual({ isEmpty, value }, { isEmpty: false, value: null });
});

Deno.test("a YAML fault says what was expected and where", async () => {
  const faults = await Promise.all(
    [
      "a:\n\tb: 1\n",
      "a: b: c\n",
      "a: [1, 2\nb: 1\n",
      "a: 'x\n",
      'a: "C:\\dir"\n',
      "a: @x\n",
      "- a\nb: 1\n",
      "a: *x\n",
      "a: 1\nb\n",
      "a: {b: 1",
    ].map(fault),
  );
  assert.deepEqual(faults, [
    "expected spaces as indentation, found a tab at 2:1",
    'expected one ": " on the line and nested entries on lines of their own (text with special ' +
    "characters is written in quotes) at 1:4",
    'expected "]" at the end of the entries at 2:1',
    "expected quotes at the end of the string at 2:1",
    "expected a known escape after the backslash (a Windows path: write it in single quotes or " +
    "with forward slashes) at 1:7",
    "expected a value, found a reserved character (text with special characters is written in " +
    "quotes) at 1:4",
    "expected the end of the value at 2:1",
    'expected the anchor ("&") above its alias at 1:4',
    'expected ":" and a space after the key at 2:1',
    'expected "}" at the end of the entries at 1:9',
  ]);
});

Deno.test("a YAML fault never quotes the text, which may hold secrets [H08]", async () => {
  const texts = ['K: "hunter2\\q"', "K: @hunter2", "K: *hunter2", 'K: "hunter2', "- a\nhunter2: 1"];
  for (const text of texts) assert.doesNotMatch(await fault(text), /hunter2/);
});

Deno.test("a second document is refused, the end marker is not", async () => {
  const said = 'expected one document, found a second one after "---" or "..."';
  assert.equal(await fault("a: 1\n---\nb: 2\n"), `${said} at 2:1`);
  assert.equal(await fault("a: 1\n...\nb: 2\n"), `${said} at 3:1`);
  assert.deepEqual((await read("---\na: 1\n...\n")).value, { a: 1 });
});

Deno.test("aliases and merge keys give plain values, own keys first", async () => {
  const { value } = await read(`base: &base
  command: npx
  env: { A: "1" }
more: &more { env: { B: "2" }, cwd: / }
x: *base
y:
  command: own
  <<: *base
z:
  <<: [*more, *base]
"<<": text
`);
  assert.deepEqual(value, {
    base: { command: "npx", env: { A: "1" } },
    more: { env: { B: "2" }, cwd: "/" },
    x: { command: "npx", env: { A: "1" } },
    y: { command: "own", env: { A: "1" } },
    z: { command: "npx", env: { B: "2" }, cwd: "/" },
    "<<": "text",
  });
  assert.match(await fault("<<: 3"), /^expected a map, or a list of maps, after "<<:" at 1:1$/);
});

Deno.test("aliases that multiply are refused with a place, and so are those of themselves", async () => {
  const names = [..."abcdefghij"];
  const laughs = names.map((name, index) => {
    const inner = index === 0 ? "x" : `*${names[index - 1]}`;
    return `${name}: &${name} [${Array(10).fill(inner).join(", ")}]\n`;
  }).join("");
  assert.match(
    await fault(laughs),
    /^expected aliases that stand for at most 100000 values, found more at \d+:\d+$/,
  );
  assert.equal(
    await fault("a: &a [1, *a]"),
    "expected an alias that stands outside of what it stands for at 1:11",
  );
});

Deno.test("keys and values that JSON has no form for become text", async () => {
  const { value } = await read(`1: a
true: b
1.50: c
~: d
? [x, y]
: e
f: .inf
g: -.INF
h: .nan
i: 2026-01-31
j: 12345678901234567890
k: !!binary aGk=
l: !secret text
m: 0x1F
`);
  assert.deepEqual(value, {
    "1": "a",
    true: "b",
    "1.50": "c",
    "~": "d",
    '["x","y"]': "e",
    f: ".inf",
    g: "-.INF",
    h: ".nan",
    i: "2026-01-31",
    j: Number(12345678901234567890n),
    k: "aGk=",
    l: "text",
    m: 31,
  });
  assert.deepEqual((await read("%YAML 1.1\n---\na: yes\nb: 2026-01-31\n")).value, {
    a: true,
    b: "2026-01-31",
  });
});

Deno.test("repeated YAML keys are named, and the last one counts", async () => {
  const document = await read("a:\n  b: 1\n  b: 2\na:\n  - c: 3\n    c: 4\n");
  assert.deepEqual(document.value, { a: [{ c: 4 }] });
  assert.deepEqual(document.duplicates, [
    { path: ["a", "b"], place: { line: 3, column: 3 } },
    { path: ["a"], place: { line: 4, column: 1 } },
    { path: ["a", "0", "c"], place: { line: 6, column: 5 } },
  ]);
});

Deno.test("prototype names are YAML keys like any other", async () => {
  const { value, duplicates } = await read("__proto__: {a: 1}\nconstructor: 2\n");
  assert.equal(JSON.stringify(value), '{"__proto__":{"a":1},"constructor":2}');
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(duplicates, []);
});

Deno.test("the place of a YAML entry is that of its key, or of its anchor's entry", async () => {
  const document = await read("a: &x\n  b: [1, 2]\nc: *x\nd:\n  - e: 1\n");
  const places = await Promise.all(
    [[], ["a", "b"], ["a", "b", 1], ["c"], ["c", "b"], ["d", 0], ["d", 0, "e"], ["f"]]
      .map((path) => document.placeOf(path)),
  );
  assert.deepEqual(places, [
    { line: 1, column: 1 },
    { line: 2, column: 3 },
    { line: 2, column: 10 },
    { line: 3, column: 1 },
    { line: 2, column: 3 },
    { line: 5, column: 5 },
    { line: 5, column: 5 },
    null,
  ]);
});

Deno.test("a YAML text of too many levels is refused with a place", async () => {
  const deep = /^expected at most 1000 objects and arrays in each other, found more at 1:1001$/;
  for (const depth of [1_001, 100_000]) {
    assert.match(await fault("[".repeat(depth) + "]".repeat(depth)), deep);
    assert.match(await fault("[".repeat(depth)), deep);
  }
  assert.ok((await read("[".repeat(400) + "]".repeat(400))).value);
});
