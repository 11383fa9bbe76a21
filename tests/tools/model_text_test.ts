import assert from "node:assert/strict";

import type { JsonObject } from "../../src/model/json.ts";
import { describingText, modelSchemaText, modelText } from "../../src/tools/model_text.ts";

Deno.test("tag, bidi and zero-width characters are taken out of texts for a model [H04]", () => {
  const tags = String.fromCodePoint(
    ...Array.from("run me", (c) => 0xe0000 + (c.codePointAt(0) ?? 0)),
  );
  assert.equal(modelText(`Adds${tags} two\u202e num\u200bbers\u2066\ufeff`), "Adds two numbers");
});

Deno.test("data hidden in variation selectors is taken out", () => {
  assert.equal(modelText("😀\u{fe01}\u{fe02}\u{e0101}\u{e0120}!"), "😀\u{fe01}!");
  assert.equal(modelText("\u{fe0f}x"), "x");
});

Deno.test("emoji sequences and words that need joiners stay whole", () => {
  for (const text of ["👩‍👩‍👧 family", "❤️‍🔥", "👩🏽‍💻", "می‌خواهم", "क्‍ष", "plain text"]) {
    assert.equal(modelText(text), text);
  }
});

Deno.test("joiners between other letters are taken out", () => {
  assert.equal(modelText("a\u200db\u200cc"), "abc");
});

Deno.test("a schema's prose is cleaned, its data is not", () => {
  const schema: JsonObject = {
    type: "object",
    description: "a\u200bb",
    properties: {
      "k\u200b": { type: "string", description: "x\u202ey", enum: ["v\u200b"], default: "v\u200b" },
      description: { title: "p\u200bq" },
      list: { items: { anyOf: [{ description: "\u200bz" }] } },
    },
  };
  assert.deepEqual(modelSchemaText(schema), {
    type: "object",
    description: "ab",
    properties: {
      "k\u200b": { type: "string", description: "xy", enum: ["v\u200b"], default: "v\u200b" },
      description: { title: "pq" },
      list: { items: { anyOf: [{ description: "z" }] } },
    },
  });
});

Deno.test("a clean schema comes back as the same object", () => {
  const schema: JsonObject = { type: "object", properties: { a: { type: "string" } } };
  assert.equal(modelSchemaText(schema), schema);
});

Deno.test("a schema of any depth is taken", () => {
  let schema: JsonObject = { type: "string" };
  for (let depth = 0; depth < 50_000; depth++) schema = { items: schema };
  assert.ok("items" in modelSchemaText(schema));
});

Deno.test("what describes a tool drives no terminal, and a result keeps its bytes [H04]", () => {
  const text = "\u001b[2Jclears\u009b31m\u0007 the\tscreen\r\nand goes on";
  assert.equal(describingText(text), "[2Jclears31m the\tscreen\nand goes on");
  assert.equal(modelText(text), text);
});
