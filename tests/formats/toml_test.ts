import assert from "node:assert/strict";
import type { ParsedText } from "../../src/formats/parsed_text.ts";
import { parseText } from "../../src/formats/parse_text.ts";

async function read(text: string): Promise<ParsedText> {
  const result = await parseText(text, "toml");
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.document;
}

async function fault(text: string): Promise<string> {
  const result = await parseText(text, "toml");
  assert.ok(!result.ok, "the text must be refused");
  return `${result.message} at ${result.place.line}:${result.place.column}`;
}

Deno.test("a byte order mark, CR LF and comments are read [A03] [A29]", async () => {
  const { value, isEmpty } = await read("\ufeff# note\r\na = 1\r\n[b]\r\nc = [1,\r\n2]\r\n");
  assert.deepEqual({ value, isEmpty }, { value: { a: 1, b: { c: [1, 2] } }, isEmpty: false });
});

Deno.test("a text of white space or comments is empty [A10]", async () => {
  for (const text of ["", "\ufeff", " \r\n\t", "# nothing yet\n"]) {
    const document = await read(text);
    assert.deepEqual([document.value, document.isEmpty], [null, true], JSON.stringify(text));
    assert.equal(await document.placeOf([]), null);
  }
  assert.equal((await read("[a]")).isEmpty, false);
});

Deno.test("a Windows path in double quotes is named, with what to write instead [A28]", async () => {
  const hint = "(a Windows path: write it in single quotes or with forward slashes)";
  assert.equal(
    await fault(`args = ["-File", "F:\\dir\\start.ps1"]`),
    `expected one of btnferuUx"\\ after the backslash ${hint} at 1:22`,
  );
  for (const path of ["C:\\Users\\me", "C:\\users", "C:\\xampp"]) {
    assert.ok((await fault(`p = "${path}"`)).includes(hint), path);
    assert.deepEqual((await read(`p = '${path}'`)).value, { p: path });
  }
});

Deno.test("a lone CR is named as the fault, wherever it stands [A29]", async () => {
  const said = "expected line ends that TOML knows (LF or CR LF), found a lone CR";
  assert.equal(await fault("a = 1\rb = 2\r"), `${said} at 1:6`);
  assert.equal(await fault("a = 1\r\n# note\rb = 2"), `${said} at 2:7`);
  assert.equal(await fault(`a = """x\ry"""`), `${said} at 1:9`);
});

Deno.test("a table or key that is defined twice is named with its place", async () => {
  const table =
    "expected a new table, found one that is already defined further up (put its keys " +
    "into one table)";
  const key = "expected a new key, found one that is already defined further up";
  assert.equal(await fault("[a]\nb = 1\n[c]\n[a]\n"), `${table} at 4:2`);
  assert.equal(await fault("a = 1\n[a]\n"), `${table} at 2:2`);
  assert.equal(await fault("[a]\nb = 1\nb = 2\n"), `${key} at 3:1`);
  assert.equal(await fault("a = { b = 1, b = 2 }"), `${key} at 1:14`);
});

Deno.test("other faults say what was expected and where", async () => {
  const faults = await Promise.all(
    [`a = "x\n`, `a = [1, 2`, "a = yes", "a = ", "a b = 1", "a", "[a", "[[a]", "a = 1 b = 2", "= 1"]
      .map(fault),
  );
  assert.deepEqual(faults, [
    "expected quotes at the end of the string, on the same line at 1:7",
    'expected "," or the end of the array or inline table at 1:10',
    "expected a value (text is written in quotes, true and false in small letters) at 1:5",
    "expected a value (text is written in quotes, true and false in small letters) at 1:5",
    'expected "=" after the key (a key with other characters than A-Z, a-z, 0-9, "_" and "-" is ' +
    "written in quotes) at 1:3",
    'expected "=" and a value after the key at 1:1',
    'expected "]" at the end of the table name at 1:2',
    'expected "]]" at the end of the table name at 1:5',
    "expected the end of the line after the value or table name at 1:7",
    'expected a key before "=" at 1:1',
  ]);
});

Deno.test("a TOML fault never quotes the text, which may hold secrets [H08]", async () => {
  for (
    const text of [`KEY = "hunter2\\q"`, "KEY = hunter2", `KEY = "hunter2`, "[hunter2", "hunter2"]
  ) {
    assert.doesNotMatch(await fault(text), /hunter2/);
  }
});

Deno.test("dates keep their text, and what JSON has no form for becomes text", async () => {
  const text = `a = 1979-05-27 07:32:00
b = [1979-05-27, 07:32:00.50, 1979-05-27T00:32:00-07:00]
c = inf
d = -inf
e = nan
f = 12345678901234567890
g = { h = 1979-05-27 }
`;
  assert.deepEqual((await read(text)).value, {
    a: "1979-05-27 07:32:00",
    b: ["1979-05-27", "07:32:00.50", "1979-05-27T00:32:00-07:00"],
    c: "inf",
    d: "-inf",
    e: "nan",
    f: Number(12345678901234567890n),
    g: { h: "1979-05-27" },
  });
});

Deno.test("prototype names are TOML keys like any other", async () => {
  const { value } = await read("__proto__ = 1\nconstructor = 2\n[a.__proto__]\nb = 3\n");
  assert.deepEqual(Object.keys(value as object), ["__proto__", "constructor", "a"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(
    JSON.stringify(value),
    '{"__proto__":1,"constructor":2,"a":{"__proto__":{"b":3}}}',
  );
});

Deno.test("the place of a TOML entry is that of its key or header", async () => {
  const document = await read(`a.b = 1
[mcp_servers.x] # note
command = "c"
args = [
  "one",
  "two",
]
env = { K = "v" }
[[list]]
n = 1
[[list]]
n = 2
`);
  const places = await Promise.all(
    [
      ["a", "b"],
      ["mcp_servers", "x"],
      ["mcp_servers", "x", "args", 1],
      ["mcp_servers", "x", "env", "K"],
      ["list", 1, "n"],
      ["list", 2],
    ].map((path) => document.placeOf(path)),
  );
  assert.deepEqual(places, [
    { line: 1, column: 3 },
    { line: 2, column: 2 },
    { line: 6, column: 3 },
    { line: 8, column: 9 },
    { line: 12, column: 1 },
    null,
  ]);
});

Deno.test("a TOML text of too many levels is refused with a place", async () => {
  const deep = /^expected at most 1000 objects and arrays in each other, found more at 1:/;
  for (const depth of [1_000, 200_000]) {
    assert.match(await fault(`a = ${"[".repeat(depth)}${"]".repeat(depth)}`), deep);
  }
  assert.match(await fault(`${"a.".repeat(5_000)}a = 1`), deep);
  assert.ok((await read(`a = ${"[".repeat(999)}${"]".repeat(999)}`)).value);
});
