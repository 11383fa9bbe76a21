import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJsonc } from "../../src/formats/jsonc.ts";
import type { ParsedText } from "../../src/formats/parsed_text.ts";

async function read(text: string): Promise<ParsedText> {
  const result = await parseJsonc(text);
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.document;
}

async function fault(text: string): Promise<string> {
  const result = await parseJsonc(text);
  assert.ok(!result.ok, "the text must be refused");
  return `${result.message} at ${result.place.line}:${result.place.column}`;
}

Deno.test("comments are read wherever they stand [A01] [A33]", async () => {
  const text = `// first
{
  /* for "browser": tests */ "mcpServers": { // here
    "x": { "url": "http://h.example//mcp" /* not // a comment */ }
  }
}
// last`;
  const document = await read(text);
  assert.deepEqual(document.value, { mcpServers: { x: { url: "http://h.example//mcp" } } });
  assert.equal(document.isEmpty, false);
});

Deno.test("trailing commas are read in objects and arrays [A02]", async () => {
  const { value } = await read(`{"mcpServers":{"x":{"args":["a","b",],"url":"http://h/",},},}`);
  assert.deepEqual(value, { mcpServers: { x: { args: ["a", "b"], url: "http://h/" } } });
});

Deno.test("a byte order mark before the text is dropped [A03]", async () => {
  assert.deepEqual((await read(`\uFEFF{"a":1}`)).value, { a: 1 });
  assert.deepEqual((await read(`\uFEFF{"a":1,}`)).value, { a: 1 });
  assert.equal((await read("\uFEFF")).isEmpty, true);
});

Deno.test("every kind of line end is read, a lone CR too [A29]", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = ["{", "// note", `"a": 1,`, `"b": [`, "2,", "]}"].join(end);
    const document = await read(text);
    assert.deepEqual(document.value, { a: 1, b: [2] });
    assert.deepEqual(await document.placeOf(["b", 0]), { line: 5, column: 1 });
  }
});

Deno.test("a text of white space or comments is empty, and null is not [A10]", async () => {
  for (const text of ["", " \r\n\t", "// nothing yet\n", "/* a */ // b"]) {
    const document = await read(text);
    assert.equal(document.isEmpty, true, JSON.stringify(text));
    assert.equal(document.value, null);
    assert.equal(await document.placeOf([]), null);
  }
  const { isEmpty, value } = await read("null");
  assert.deepEqual({ isEmpty, value }, { isEmpty: false, value: null });
});

Deno.test("a fault says what was expected, what was found, and where [A10]", async () => {
  const faults = [
    await fault(`{"mcpServers": {`),
    await fault(`{\n  "a": [1, 2`),
    await fault(`{\n  "a": "x"\n  "b": "y"\n}`),
    await fault(`{"a" "b"}`),
    await fault(`{"a": }`),
    await fault(`{a: 1}`),
    await fault(`{'a': 1}`),
    await fault(`{"a": 'x'}`),
    await fault(`{"a": True}`),
    await fault(`{"a": "x\n"}`),
    await fault(`{"p": "C:\\users"}`),
    await fault(`{"p": "C:\\My"}`),
    await fault(`{"p": "a\u0007"}`),
    await fault(`{"a": 1} {"b": 2}`),
    await fault(`{"a": 1} /* open`),
    await fault(`[1,,2]`),
    await fault(`{"a": 1,,}`),
    await fault(`{"a": -}`),
  ];
  assert.deepEqual(faults, [
    `expected "}" for the "{" that begins at line 1, column 16, found the end of the text at 1:17`,
    `expected "]" for the "[" that begins at line 2, column 8, found the end of the text at 2:13`,
    `expected "," or the end of the object or array, found a string at 3:3`,
    `expected ":", found a string at 1:6`,
    `expected a value, found "}" at 1:7`,
    `expected a value, or a name in double quotes, found a word without quotes at 1:2`,
    `expected a value, or a name in double quotes, found a string in other quotes at 1:2`,
    `expected a value, or a name in double quotes, found a string in other quotes at 1:7`,
    `expected a value, or a name in double quotes, found a word without quotes at 1:7`,
    `expected double quotes at the end of the string, on the same line at 1:7`,
    `expected four hex digits after "\\u" (a backslash itself is written twice) at 1:7`,
    `expected one of "\\/bfnrtu" after the backslash (a backslash itself is written twice) at 1:7`,
    `expected no control character in a string (write it as an escape such as \\t) at 1:7`,
    `expected the end of the text, found "{" at 1:10`,
    `expected "*/" at the end of the comment at 1:10`,
    `expected a value, found "," at 1:4`,
    `expected a name in double quotes, found "," at 1:9`,
    `expected a value, or a name in double quotes, found a character that JSON does not know at 1:7`,
  ]);
});

Deno.test("a fault never quotes the text, which may hold secrets [H08]", async () => {
  for (const text of [`{"KEY": "hunter2" "B": 1}`, `{"KEY": hunter2}`, `{"KEY": "hunter2`]) {
    assert.doesNotMatch(await fault(text), /hunter2/);
  }
});

Deno.test("repeated keys are named by their whole path, and the last one counts", async () => {
  const text = `{
  "mcpServers": {
    "a": { "command": "x", "env": { "K": "1", "K": "2" } },
    "a": { "args": [ { "b": 1, "b": 2 } ] }
  }
}`;
  const document = await read(text);
  assert.deepEqual(document.value, { mcpServers: { a: { args: [{ b: 2 }] } } });
  assert.deepEqual(document.duplicates, [
    { path: ["mcpServers", "a", "env", "K"], place: { line: 3, column: 47 } },
    { path: ["mcpServers", "a"], place: { line: 4, column: 5 } },
    { path: ["mcpServers", "a", "args", "0", "b"], place: { line: 4, column: 32 } },
  ]);
  assert.deepEqual(await document.placeOf(["mcpServers", "a"]), { line: 4, column: 5 });
  assert.equal(await document.placeOf(["mcpServers", "a", "env"]), null);
});

Deno.test("colons, quotes and brackets in strings are not taken for keys", async () => {
  const text = JSON.stringify({ 'a":{"b': '\\":[', c: '{"k":1}\\', d: ["::", '"'] });
  assert.deepEqual((await read(text)).duplicates, []);
  assert.deepEqual((await read(`{"a\\\\":1,"a\\\\":2}`)).duplicates.map(({ path }) => path), [[
    "a\\",
  ]]);
});

Deno.test("prototype names are keys like any other", async () => {
  for (const tail of ["}", ",}"]) {
    const { value, duplicates } = await read(
      `{"__proto__":{"command":"x"},"constructor":1,"toString":2${tail}`,
    );
    assert.deepEqual(Object.keys(value as object), ["__proto__", "constructor", "toString"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(duplicates, []);
  }
});

Deno.test("the place of an entry is that of its key, in strict and in tolerant texts", async () => {
  const strict = `{\n  "mcpServers": {\n    "a": {},\n    "b": { "args": ["x", "y"] }\n  }\n}`;
  for (const text of [strict, `${strict} // tolerant`]) {
    const document = await read(text);
    assert.deepEqual(await document.placeOf([]), { line: 1, column: 1 });
    assert.deepEqual(await document.placeOf(["mcpServers", "b"]), { line: 4, column: 5 });
    assert.deepEqual(await document.placeOf(["mcpServers", "b", "args", 1]), {
      line: 4,
      column: 26,
    });
    assert.equal(await document.placeOf(["mcpServers", "c"]), null);
    assert.equal(await document.placeOf(["mcpServers", "a", "args"]), null);
  }
});

Deno.test("a text of 10,000 levels is refused with a message, strict or not", async () => {
  for (const depth of [1_001, 10_000, 200_000]) {
    const strict = "[".repeat(depth) + "]".repeat(depth);
    assert.match(await fault(strict), /at most 1000 objects and arrays.* at 1:1001$/);
    assert.match(await fault(strict + "//"), /at most 1000 objects and arrays/);
    assert.match(await fault("[".repeat(depth)), /at most 1000 objects and arrays/);
    assert.match(await fault(`{"a":`.repeat(depth)), /at most 1000 objects and arrays/);
  }
  const deepest = "[".repeat(1_000) + "]".repeat(1_000);
  assert.ok((await read(deepest)).value !== null);
  assert.ok((await read(`${deepest}//`)).value !== null);
});

Deno.test("the tolerant reader gives what JSON.parse gives for any value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat({ max: 4 }), async (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const expected = JSON.parse(text) as unknown;
      assert.deepEqual((await read(text)).value, expected);
      const tolerant = await read(`/* : " */ ${text} // ,`);
      assert.deepEqual(tolerant.value, expected);
      assert.deepEqual(tolerant.duplicates, []);
    }),
    { numRuns: 300 },
  );
});

Deno.test("no text makes the parser throw, and every fault has a place in the text", async () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "'",
    "\\",
    "/",
    "*",
    "//",
    "/*",
    "\n",
    "\r",
    " ",
    "1",
    "-",
    "a",
    "true",
    "null",
    '"k"',
    "\u0000",
    "\ud800",
    "é",
    "\ufeff",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join("");
      const result = await parseJsonc(text);
      if (result.ok) return;
      const lines = text.split(/\r\n|\r|\n/);
      assert.ok(result.place.line >= 1 && result.place.line <= lines.length);
      assert.ok(result.place.column >= 1);
      assert.ok(result.place.column <= (lines[result.place.line - 1] ?? "").length + 1);
    }),
    { numRuns: 1_000 },
  );
});
