import assert from "node:assert/strict";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { store } from "../../src/sources/store.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const STORE = "home/.config/hotplug/mcp.json";

/** The store is the plainest reader of a file; what holds for it holds for every source. */
async function readStore(
  content: string | Uint8Array | object,
  options: { readonly lines?: boolean } = {},
): Promise<Awaited<ReturnType<TempMachine["read"]>>> {
  await using machine = await TempMachine.create();
  await machine.write(STORE, content);
  return await machine.read(store, options);
}

Deno.test("comments are read [A01]", async () => {
  const reading = await readStore(
    `{ "mcpServers": {\n  // for browser tests\n  "x": { "command": "deno" } /* end */\n} }`,
  );
  assert.equal(only(reading, "x").config.command, "deno");
  assert.equal(report(reading, "mcp.json").state, "loaded");
});

Deno.test("trailing commas are read [A02]", async () => {
  const reading = await readStore(`{"mcpServers":{"x":{"command":"deno","args":["a",],},}}`);
  assert.deepEqual(only(reading, "x").config.args, ["a"]);
});

Deno.test("a byte order mark is no part of the text [A03]", async () => {
  const text = new TextEncoder().encode(`\ufeff{"mcpServers":{"x":{"command":"deno"}}}`);
  assert.deepEqual([...text.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const reading = await readStore(text);
  assert.equal(only(reading, "x").config.command, "deno");
});

Deno.test("UTF-16 is read, and the report says so [A03]", async () => {
  const text = `\ufeff{"mcpServers":{"x":{"command":"deno"}}}`;
  const bytes = new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer);
  const reading = await readStore(bytes);
  assert.equal(only(reading, "x").config.command, "deno");
  assert.match(report(reading, "mcp.json").warnings.join(), /UTF-16/);
});

Deno.test("a bad entry costs only itself and says file, line and reason [A05]", async () => {
  const reading = await readStore(`{
  "mcpServers": {
    "working": { "command": "deno" },
    "broken": { "args": ["x.py"] },
    "worse": 5
  }
}`);
  assert.deepEqual(only(reading, "working").problems, []);
  const { problems, source } = only(reading, "broken");
  assert.equal(source.line, 4);
  assert.match(problems[0]?.message ?? "", /mcp\.json:4\)$/);
  assert.equal(problems[0]?.code, "config-invalid");
  assert.equal(only(reading, "worse").source.line, 5);
  assert.notEqual(only(reading, "worse").problems.length, 0);
  assert.equal(report(reading, "mcp.json").servers, 3);
});

Deno.test("a key of another host is named, with the expected one [A07]", async () => {
  for (const found of ["servers", "mcp_servers", "context_servers", "mcp", "mcp.servers"]) {
    const reading = await readStore({ [found]: { x: { command: "deno" } } });
    const { state, error } = report(reading, "mcp.json");
    assert.equal(state, "empty", found);
    assert.match(error?.message ?? "", /Cannot find "mcpServers" in /);
    assert.ok(error?.message.endsWith(`found "${found}"`), error?.message);
    assert.equal(error?.hint, `Rename "${found}" to "mcpServers"`);
  }
});

Deno.test("servers nested in settings of VS Code are named by their path [A07]", async () => {
  const reading = await readStore({ mcp: { servers: { x: { command: "deno" } } } });
  assert.match(report(reading, "mcp.json").error?.message ?? "", /found "mcp\.servers"$/);
});

Deno.test("entries without a wrapper get the wrapped form as a hint [A08]", async () => {
  const reading = await readStore({ dash: { command: "uvx", args: ["dash-mcp"] } });
  const { error } = report(reading, "mcp.json");
  assert.match(error?.message ?? "", /found servers at the top level$/);
  assert.equal(error?.hint, `Wrap them: { "mcpServers": { "dash": { … } } }`);
  assert.deepEqual(reading.definitions, []);
});

Deno.test("an unwrapped entry called like a wrapper is an entry [A08]", async () => {
  const reading = await readStore({ mcp: { command: "uvx" } });
  assert.match(report(reading, "mcp.json").error?.message ?? "", /at the top level$/);
});

Deno.test("an object of anything else is empty without a guess", async () => {
  const { state, error } = report(await readStore({ name: "x", version: 1 }), "mcp.json");
  assert.deepEqual([state, error], ["empty", null]);
});

Deno.test("absent, empty, malformed and unreadable are four answers [A10] [A43]", async () => {
  await using machine = await TempMachine.create();
  assert.equal(report(await machine.read(store), "config/hotplug/mcp.json").state, "absent");

  await machine.write(STORE, " \n");
  assert.equal(report(await machine.read(store), "mcp.json").state, "empty");

  await machine.write(STORE, `{ "mcpServers": {} }`);
  assert.equal(report(await machine.read(store), "mcp.json").state, "empty");

  const path = await machine.write(STORE, `{\n  "mcpServers": {`);
  const malformed = report(await machine.read(store), "mcp.json");
  assert.equal(malformed.state, "malformed");
  assert.equal(malformed.error?.code, "config-malformed");
  assert.ok(malformed.error?.message.startsWith(`Cannot parse "${path}": `));
  assert.match(malformed.error?.message ?? "", / at line 2, column \d+$/);

  await using other = await TempMachine.create();
  await mkdir(join(other.root, STORE), { recursive: true });
  const folder = report(await other.read(store), "mcp.json");
  assert.equal(folder.state, "unreadable");
  assert.match(folder.error?.message ?? "", /folder/);
});

Deno.test({
  name: "a file without read permission is unreadable with its errno [A43]",
  ignore: Deno.uid() === 0 || Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    await chmod(await machine.write(STORE, {}), 0);
    const { state, error } = report(await machine.read(store), "mcp.json");
    assert.equal(state, "unreadable");
    assert.match(error?.message ?? "", /EACCES|permission/i);
  },
});

Deno.test({
  name: "links that lead to each other are unreadable, not absent [A42] [A43]",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    await using machine = await TempMachine.create();
    const path = join(machine.root, STORE);
    await mkdir(join(path, ".."), { recursive: true });
    await symlink(`${path}.b`, path);
    await symlink(path, `${path}.b`);
    const found = report(await machine.read(store), "mcp.json");
    assert.equal(found.state, "unreadable");
    assert.notEqual(found.error, null);
  },
});

Deno.test("mcpServers that is an array or a text is refused whole [A39]", async () => {
  for (const [value, kind] of [[[{ notion: { command: "npx" } }], "an array"], ["x", "a string"]]) {
    const reading = await readStore({ mcpServers: value });
    const { state, error } = report(reading, "mcp.json");
    assert.equal(state, "malformed");
    assert.ok(error?.message.endsWith(`"mcpServers" must be an object, found ${kind}`));
    assert.deepEqual(reading.definitions, []);
  }
});

Deno.test("a file that is no object is refused", async () => {
  const { state, error } = report(await readStore(`[1]`), "mcp.json");
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /expected an object at line 1, found an array$/);
});

Deno.test("a second key of servers is warned about [A40]", async () => {
  const reading = await readStore({
    mcpServers: { a: { command: "a" } },
    servers: { b: { command: "b" } },
  });
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["a"]);
  assert.deepEqual(report(reading, "mcp.json").warnings, [
    `"servers" stands beside "mcpServers" and is not read`,
  ]);
});

Deno.test("keys that stand twice are warned about, with their line", async () => {
  const reading = await readStore(`{
  "mcpServers": {
    "x": { "command": "first" },
    "y": { "command": "a", "env": { "K": "1", "K": "2" } },
    "x": { "command": "last" }
  }
}`);
  assert.equal(only(reading, "x").config.command, "last");
  assert.match(only(reading, "x").warnings.join(), /"x" is written again at line 5/);
  assert.match(only(reading, "y").warnings.join(), /"y\.env\.K" is written again at line 4/);
});

Deno.test("mcpServers that stands twice is warned about in the report", async () => {
  const reading = await readStore(`{"mcpServers":{"a":{"command":"a"}},
"mcpServers":{"b":{"command":"b"}}}`);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["b"]);
  assert.match(
    report(reading, "mcp.json").warnings.join(),
    /"mcpServers" is written again at line 2/,
  );
});

Deno.test("lines are given to all when asked for, else to bad entries alone", async () => {
  const text = `{\n"mcpServers": {\n"a": { "command": "a" },\n"b": { "command": "b" } } }`;
  const without = await readStore(text);
  assert.deepEqual(without.definitions.map(({ source }) => source.line), [null, null]);
  const withLines = await readStore(text, { lines: true });
  assert.deepEqual(withLines.definitions.map(({ source }) => source.line), [3, 4]);
});

Deno.test("prototype names are names like any other", async () => {
  const reading = await readStore(
    `{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"},"toString":{"command":"c"}}}`,
  );
  assert.deepEqual(reading.definitions.map(({ name, config }) => [name, config.command]), [
    ["__proto__", "a"],
    ["constructor", "b"],
    ["toString", "c"],
  ]);
});

Deno.test("a name that no server may have is a problem of its entry alone", async () => {
  const reading = await readStore({ mcpServers: { "-x": { command: "a" }, y: { command: "b" } } });
  assert.match(only(reading, "-x").problems[0]?.message ?? "", /name of this server/);
  assert.deepEqual(only(reading, "y").problems, []);
});

Deno.test("wrong kinds and names of fields cost at most their entry [A11] [A12]", async () => {
  const reading = await readStore({
    mcpServers: {
      coerced: { command: "deno", env: { PORT: 5432, DEBUG: true } },
      refused: { command: "deno", env: { LIST: ["a"] } },
      other: { command: "deno", environment: { K: "v" }, transport: "stdio", comand: "x" },
    },
  });
  assert.deepEqual(only(reading, "coerced").config.env, { PORT: "5432", DEBUG: "true" });
  assert.notEqual(only(reading, "coerced").warnings.length, 0);
  assert.match(only(reading, "refused").problems[0]?.message ?? "", /LIST/);
  assert.deepEqual(only(reading, "other").config.env, { K: "v" });
  assert.match(only(reading, "other").warnings.join(), /comand.*command/);
});

Deno.test("a wrapper inside an entry is named in its problem [A09]", async () => {
  const reading = await readStore({
    mcpServers: { pandoc: { mcpServers: { pandoc: { command: "uvx" } } } },
  });
  const [problem] = only(reading, "pandoc").problems;
  assert.match(`${problem?.message} ${problem?.hint}`, /mcpServers/);
});
