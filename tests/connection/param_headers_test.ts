import assert from "node:assert/strict";
import { headersOfCall, paramHeaders } from "../../src/connection/param_headers.ts";

Deno.test("declarations are found at any depth of properties", () => {
  const found = paramHeaders({
    type: "object",
    properties: {
      a: { type: "string", "x-mcp-header": "A" },
      b: { type: "object", properties: { c: { type: "integer", "x-mcp-header": "C" } } },
      __proto__x: { type: "boolean" },
    },
  });
  assert.deepEqual(found, {
    ok: true,
    headers: [{ path: ["a"], name: "A" }, { path: ["b", "c"], name: "C" }],
  });
});

Deno.test("a declaration against the rules leaves the tool out", () => {
  const wrong = [
    { properties: { a: { type: "number", "x-mcp-header": "A" } } },
    { properties: { a: { type: "string", "x-mcp-header": "A B" } } },
    { properties: { a: { type: "string", "x-mcp-header": "" } } },
    { properties: { a: { items: { type: "string", "x-mcp-header": "A" } } } },
    { properties: { a: { anyOf: [{ type: "string", "x-mcp-header": "A" }] } } },
    { $defs: { d: { type: "string", "x-mcp-header": "A" } } },
    { "x-mcp-header": "A", type: "string" },
    {
      properties: {
        a: { type: "string", "x-mcp-header": "A" },
        b: { type: "string", "x-mcp-header": "a" },
      },
    },
  ];
  for (const schema of wrong) assert.equal(paramHeaders(schema).ok, false, JSON.stringify(schema));
});

Deno.test("values become headers, what HTTP cannot carry in base64", () => {
  const names = ["S", "I", "B", "N", "U", "E", "W", "Q", "D"];
  const declared = names.map((name) => ({ path: [name.toLowerCase()], name }));
  const headers = headersOfCall([...declared, { path: ["x", "__proto__"], name: "P" }], {
    s: "plain text",
    i: 7,
    b: false,
    n: null,
    u: "漢",
    e: "",
    w: " outer",
    q: "=?base64?eA==?=",
    d: 1.5,
    x: {},
  });
  assert.deepEqual(headers, {
    "Mcp-Param-S": "plain text",
    "Mcp-Param-I": "7",
    "Mcp-Param-B": "false",
    "Mcp-Param-U": "=?base64?5ryi?=",
    "Mcp-Param-E": "=?base64??=",
    "Mcp-Param-W": `=?base64?${btoa(" outer")}?=`,
    "Mcp-Param-Q": `=?base64?${btoa("=?base64?eA==?=")}?=`,
  });
});
