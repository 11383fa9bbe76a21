import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import type { CallToolResult, ToolResult } from "../../src/model/tool.ts";
import { renderResult } from "../../src/tools/render_result.ts";
import { madeResult, madeTool, textsOf } from "./made.ts";

const SHIP: JsonObject = {
  type: "object",
  properties: { ship: { type: "string", pattern: "^(a+)+$" } },
  required: ["ship"],
};

function render(
  result: CallToolResult,
  outputSchema: JsonObject | null = null,
): Promise<ToolResult> {
  return renderResult("srv", madeTool({ outputSchema }), result, { cacheFolder: null });
}

async function texts(
  content: readonly JsonObject[],
  structuredContent?: JsonValue,
  outputSchema: JsonObject | null = null,
): Promise<string[]> {
  const rest = structuredContent === undefined ? {} : { structuredContent };
  return textsOf((await render(madeResult(content, rest), outputSchema)).content);
}

Deno.test("a structured result without any text is given as JSON [E01]", async () => {
  assert.deepEqual(await texts([], { ship: "x" }), ['{"ship":"x"}']);
});

Deno.test("structured results of any shape are kept, and not said twice [E02]", async () => {
  assert.deepEqual(await texts([{ type: "text", text: "[1]" }], [1]), ["[1]"]);
  assert.deepEqual(await texts([{ type: "text", text: "done" }], [1]), ["done", "[1]"]);
  assert.deepEqual(await texts([], 7), ["7"]);
  assert.deepEqual(await texts([], null), ["null"]);
});

Deno.test("a text that names every value says the structured result", async () => {
  const text = "The file a.txt has 3 lines";
  assert.deepEqual(await texts([{ type: "text", text }], { file: "a.txt", lines: 3 }), [text]);
  const other = await texts([{ type: "text", text }], { file: "a.txt", lines: 4 });
  assert.deepEqual(other, [text, '{"file":"a.txt","lines":4}']);
});

Deno.test("a number inside another number does not say it", async () => {
  assert.equal((await texts([{ type: "text", text: "13 of 3.5" }], { n: 3 })).length, 2);
  assert.equal((await texts([{ type: "text", text: "exactly 3." }], { n: 3 })).length, 1);
});

Deno.test("text in place of a declared structure is given with a note [E04]", async () => {
  assert.deepEqual(await texts([{ type: "text", text: "x" }], undefined, SHIP), [
    "x",
    "Note: The tool declares a structured result, but gave none.",
  ]);
});

Deno.test("a result that breaks the output schema is given with a note [E04]", async () => {
  assert.deepEqual(await texts([], { ship: 1 }, SHIP), [
    '{"ship":1}',
    'Note: The structured result does not match the tool\'s output schema at "ship".',
  ]);
  assert.deepEqual(await texts([], { ship: "x" }, SHIP), ['{"ship":"x"}']);
});

Deno.test("a pattern of the server's own making cannot hang the host", async () => {
  const ship = `${"a".repeat(60)}!`;
  assert.deepEqual(await texts([], { ship }, SHIP), [JSON.stringify({ ship })]);
});

Deno.test("an output schema that cannot be used costs no result [C10]", async () => {
  const dangling = { properties: { s: { $ref: "#/$defs/Missing" } } };
  const endless = { $ref: "#" };
  for (const schema of [dangling, endless]) {
    assert.deepEqual(await texts([], { s: 1 }, schema), [
      '{"s":1}',
      "Note: The output schema cannot be used, so the result was not checked.",
    ]);
  }
});

Deno.test("an output schema of an unknown dialect is not used [D08]", async () => {
  const [, note] = await texts([], { s: 1 }, { $schema: "urn:other", type: "string" });
  assert.match(note ?? "", /unknown dialect/);
});

Deno.test("unknown keywords and formats in an output schema are no mismatch [C12]", async () => {
  const schema = { "x-order": 1, properties: { n: { type: "integer", format: "uint64" } } };
  assert.deepEqual(await texts([], { n: 1 }, schema), ['{"n":1}']);
});

Deno.test("the schema of the tool is not written into", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const before = JSON.stringify(schema);
  await texts([], { a: "x" }, schema);
  assert.equal(JSON.stringify(schema), before);
});

Deno.test("a failure that the tool reports starts with MCP error and keeps its content [E08]", async () => {
  const result = madeResult([{ type: "text", text: "quota" }], { isError: true });
  const rendered = await render(result, SHIP);
  assert.equal(rendered.isError, true);
  assert.deepEqual(textsOf(rendered.content), [
    'MCP error: tool "search" of server "srv" failed: quota',
  ]);
  assert.equal(rendered.details.result, result.raw);
});

Deno.test("a failure without text says at least where it happened [E08]", async () => {
  const { content } = await render(
    madeResult([{ type: "image", data: "AAAA", mimeType: "image/png" }], { isError: true }),
  );
  assert.deepEqual(content, [
    { type: "text", text: 'MCP error: tool "search" of server "srv" failed' },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ]);
});

Deno.test("an empty result is told to be empty", async () => {
  assert.deepEqual(await texts([]), ["(no content)"]);
});

Deno.test("long text is cut, and the whole lies in a private file [E07]", async () => {
  const cacheFolder = await Deno.makeTempDir();
  try {
    const first = "é".repeat(30_000);
    const second = "z".repeat(10_000);
    const rendered = await renderResult(
      "srv",
      madeTool(),
      madeResult([
        { type: "text", text: first },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "text", text: second },
      ]),
      { cacheFolder },
    );
    const { spillFile } = rendered.details;
    assert.ok(spillFile !== null && spillFile.startsWith(cacheFolder));
    assert.equal(await readFile(spillFile, "utf8"), `${first}\n\n${second}`);
    assert.equal((await stat(spillFile)).mode & 0o777, 0o600);
    const [kept = "", note = ""] = textsOf(rendered.content);
    assert.equal(kept, "é".repeat(25_600));
    assert.equal(
      note,
      `Note: The text was cut: 51200 of 70000 bytes are shown. The whole text is in "${spillFile}".`,
    );
    assert.equal(rendered.content.filter(({ type }) => type === "image").length, 1);
  } finally {
    await Deno.remove(cacheFolder, { recursive: true });
  }
});

Deno.test("text at the limit is not cut", async () => {
  const cacheFolder = await Deno.makeTempDir();
  try {
    const { details, content } = await renderResult(
      "srv",
      madeTool(),
      madeResult([{ type: "text", text: "x".repeat(51_200) }]),
      { cacheFolder },
    );
    assert.equal(details.spillFile, null);
    assert.equal(content.length, 1);
    assert.deepEqual(await readdir(cacheFolder), []);
  } finally {
    await Deno.remove(cacheFolder, { recursive: true });
  }
});

Deno.test("text is cut also where no file can be written, and the call still answers [E07]", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const blocked = join(folder, "file");
    await Deno.writeTextFile(blocked, "");
    const { content, details } = await renderResult(
      "srv",
      madeTool(),
      madeResult([{ type: "text", text: "abc😀def" }]),
      { cacheFolder: blocked, maxTextBytes: 5 },
    );
    assert.equal(details.spillFile, null);
    assert.equal(textsOf(content)[0], "abc");
    assert.match(textsOf(content)[1] ?? "", /the rest could not be kept/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
