import assert from "node:assert/strict";

import type { JsonObject } from "../../src/model/json.ts";
import { forVendor, type ModelVendor, type VendorSchema } from "../../src/tools/model_schema.ts";
import { madeTool } from "./made.ts";

const VENDORS: readonly ModelVendor[] = ["anthropic", "openai", "gemini"];

function fitted(vendor: ModelVendor, inputSchema: JsonObject): VendorSchema {
  return forVendor(vendor, madeTool({ inputSchema }));
}

Deno.test("a missing or empty schema becomes an object without arguments [D07]", () => {
  for (const schema of [{}, { type: "object" }, { properties: null }]) {
    assert.deepEqual(fitted("anthropic", schema).schema, { type: "object", properties: {} });
    assert.deepEqual(fitted("openai", schema).schema, { type: "object", properties: {} });
    assert.deepEqual(fitted("gemini", schema).schema, { type: "object" });
  }
});

Deno.test("document keywords are taken out, properties of those names are not [D08]", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "x",
    type: "object",
    properties: { $id: { type: "string", $comment: "c" } },
  };
  for (const vendor of ["openai", "gemini"] as const) {
    const result = fitted(vendor, schema);
    assert.deepEqual(result.schema, { type: "object", properties: { $id: { type: "string" } } });
    assert.deepEqual(result.warnings, []);
  }
});

Deno.test("$defs stay with a schema for vendors that read them [D09]", () => {
  const schema = {
    type: "object",
    properties: { t: { $ref: "#/$defs/T" } },
    $defs: { T: { type: "string" } },
  };
  assert.deepEqual(fitted("anthropic", schema).schema, schema);
  assert.deepEqual(fitted("openai", schema).schema, schema);
  assert.deepEqual(fitted("gemini", schema).schema, {
    type: "object",
    properties: { t: { type: "string" } },
  });
});

Deno.test("recursion is cut for a vendor without references [D09]", () => {
  const schema = {
    type: "object",
    properties: { node: { $ref: "#/$defs/Node" } },
    $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
  };
  const { schema: flat, warnings } = fitted("gemini", schema);
  assert.deepEqual(flat, {
    type: "object",
    properties: {
      node: {
        type: "object",
        properties: { next: { type: "object", properties: { next: { type: "object" } } } },
      },
    },
  });
  assert.deepEqual(warnings, ["A recursive part of the schema was cut."]);
});

Deno.test("references that double at each step stay within bounds [D09]", () => {
  const $defs: Record<string, JsonObject> = { D40: { type: "string" } };
  for (let step = 0; step < 40; step++) {
    const $ref = `#/$defs/D${step + 1}`;
    $defs[`D${step}`] = { type: "object", properties: { a: { $ref }, b: { $ref } } };
  }
  const { schema, warnings } = fitted("gemini", {
    type: "object",
    properties: { x: { $ref: "#/$defs/D0" } },
    $defs,
  });
  assert.ok(JSON.stringify(schema).length < 1_000_000);
  assert.ok(warnings.some((warning) => warning.includes("too large")));
});

Deno.test("a reference to nowhere takes anything, with a warning [D09]", () => {
  for (
    const $ref of [
      "#/$defs/Missing",
      "https://x.org/other.json",
      "#anchor",
      "#/properties/__proto__",
    ]
  ) {
    const { schema, warnings } = fitted("openai", {
      type: "object",
      properties: { a: { $ref, description: "kept" } },
    });
    assert.deepEqual(schema, { type: "object", properties: { a: { description: "kept" } } });
    assert.deepEqual(warnings, [`The reference "${$ref}" leads nowhere.`]);
  }
});

Deno.test("alternatives at the root are laid together", () => {
  const schema = {
    description: "Find",
    oneOf: [
      {
        type: "object",
        properties: { id: { type: "string" }, n: { type: "string" } },
        required: ["id"],
      },
      {
        type: "object",
        properties: { url: { type: "string" }, n: { type: "number" } },
        required: ["url"],
      },
    ],
    required: ["n"],
  };
  for (const vendor of ["anthropic", "openai"] as const) {
    assert.deepEqual(fitted(vendor, schema).schema, {
      type: "object",
      description: "Find\nGive exactly one of these groups of arguments: (id) or (url).",
      properties: {
        id: { type: "string" },
        n: { anyOf: [{ type: "string" }, { type: "number" }] },
        url: { type: "string" },
      },
      required: ["n"],
    });
  }
});

Deno.test("parts at the root are all required, through references too", () => {
  const schema = {
    allOf: [{ $ref: "#/$defs/A" }, { properties: { b: { type: "string" } }, required: ["b"] }],
    $defs: { A: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
  };
  assert.deepEqual(fitted("gemini", schema).schema, {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a", "b"],
  });
});

Deno.test("a root that points at itself ends", () => {
  for (const schema of [{ $ref: "#" }, { allOf: [{ $ref: "#" }, { $ref: "#" }] }]) {
    for (const vendor of VENDORS) {
      assert.equal(fitted(vendor, schema).schema?.["type"], "object");
    }
  }
});

Deno.test("a tool whose arguments cannot be an object is left out alone", () => {
  for (const vendor of VENDORS) {
    const { schema, warnings } = fitted(vendor, { type: "string" });
    assert.equal(schema, null);
    assert.match(warnings.at(-1) ?? "", /left out/);
  }
});

Deno.test("keywords of older drafts and wrong types are brought into form", () => {
  const { schema, warnings } = fitted("anthropic", {
    type: "Object",
    properties: {
      a: { type: "str", description: null, required: true },
      b: { type: ["string", "any"], minimum: "1", pattern: "(" },
      c: { type: "number", minimum: 1, exclusiveMinimum: true },
      d: { type: "array", items: [{ type: "string" }] },
      e: "not a schema",
    },
    required: ["a", "a", 1, "ghost"],
  });
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      a: { type: "string" },
      b: { type: "string" },
      c: { type: "number", exclusiveMinimum: 1 },
      d: { type: "array", prefixItems: [{ type: "string" }] },
    },
    required: ["a"],
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /"type".*"required"|"required".*"type"/);
});

Deno.test("lists say what is in them where a vendor asks for it", () => {
  const schema = { type: "object", properties: { a: { type: "array" } } };
  assert.deepEqual(fitted("openai", schema).schema, {
    type: "object",
    properties: { a: { type: "array", items: {} } },
  });
  assert.deepEqual(fitted("gemini", schema).schema, {
    type: "object",
    properties: { a: { type: "array", items: { type: "string" } } },
  });
});

Deno.test("argument names that Anthropic refuses go, or the tool goes when it needs them", () => {
  const properties = { "a b": { type: "string" }, ok: { type: "string" } };
  const free = fitted("anthropic", { type: "object", properties });
  assert.deepEqual(free.schema, { type: "object", properties: { ok: { type: "string" } } });
  assert.equal(free.warnings.length, 1);
  assert.equal(fitted("anthropic", { type: "object", properties, required: ["a b"] }).schema, null);
});

Deno.test("Gemini gets one type a schema, null as nullable, strings as enumerations", () => {
  const { schema } = fitted("gemini", {
    type: "object",
    additionalProperties: false,
    properties: {
      many: { type: ["string", "integer"], description: "d" },
      maybe: { type: ["string", "null"], format: "uri" },
      either: { anyOf: [{ type: "integer" }, { type: "null" }], description: "e" },
      choice: { oneOf: [{ type: "string" }, { type: "object", properties: {} }] },
      level: { type: "integer", enum: [1, 2], exclusiveMinimum: 0 },
      fixed: { const: "x" },
      mode: { type: "string", enum: ["a", null] },
      any: {},
      all: { allOf: [{ properties: { p: { type: "string" } } }, { required: ["p"] }] },
    },
    required: ["many", "ghost"],
  });
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      many: { description: "d", anyOf: [{ type: "string" }, { type: "integer" }] },
      maybe: { nullable: true, type: "string" },
      either: { description: "e", nullable: true, type: "integer" },
      choice: { anyOf: [{ type: "string" }, { type: "object" }] },
      level: { type: "integer", description: "One of: 1, 2." },
      fixed: { type: "string", enum: ["x"] },
      mode: { type: "string", nullable: true, enum: ["a"] },
      any: { type: "string" },
      all: { type: "object", properties: { p: { type: "string" } }, required: ["p"] },
    },
    required: ["many"],
  });
});

Deno.test("a property called __proto__ stays a property", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"str"}}}',
  ) as JsonObject;
  for (const vendor of VENDORS) {
    assert.equal(
      JSON.stringify(fitted(vendor, schema).schema),
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    );
  }
});

Deno.test("a schema that needs nothing comes back as it was, without a warning", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string", minLength: 1, format: "uuid" } },
    required: ["a"],
    additionalProperties: false,
  };
  for (const vendor of ["anthropic", "openai"] as const) {
    assert.deepEqual(fitted(vendor, schema), { schema, warnings: [] });
  }
});
