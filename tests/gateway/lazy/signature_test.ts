import assert from "node:assert/strict";
import { signatureOf } from "../../../src/gateway/lazy/signature.ts";
import type { JsonObject } from "../../../src/model/json.ts";

function of(properties: JsonObject, required: readonly string[] = [], most = 300): string {
  return signatureOf({ type: "object", properties, required }, most);
}

Deno.test("arguments are told in few words, the required ones first", () => {
  assert.equal(
    of({ head: { type: "integer" }, path: { type: "string" } }, ["path"]),
    "path: string, head?: integer",
  );
  assert.equal(signatureOf({ type: "object" }, 100), "");
});

Deno.test("types are told as far as they are plain", () => {
  const words = (schema: JsonObject): string => of({ a: schema }, ["a"]).slice(3);
  assert.equal(words({ enum: ["asc", "desc"] }), '"asc"|"desc"');
  assert.equal(words({ const: 1 }), "1");
  assert.equal(words({ type: ["string", "null"] }), "string|null");
  assert.equal(words({ anyOf: [{ type: "string" }, { type: "number" }] }), "string|number");
  assert.equal(words({ type: "array", items: { type: "string" } }), "string[]");
  assert.equal(words({ type: "array", items: { enum: [1, 2] } }), "(1|2)[]");
  assert.equal(words({ type: "array" }), "any[]");
  assert.equal(words({}), "any");
  assert.equal(words({ type: "object" }), "object");
  const point = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };
  assert.equal(words({ type: "array", items: point }), "{x: number}[]");
  assert.equal(
    words({ enum: Array.from({ length: 50 }, (_, at) => `v${at}`), type: "string" }),
    "string",
  );
});

Deno.test("what is long or deep is cut, and still says that there is more", () => {
  const many = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`argument_${at}`, { type: "string" }]),
  );
  const text = of(many, [], 100);
  assert.ok(text.length <= 103 && text.endsWith(", …"), text);
  let deep: JsonObject = { type: "string" };
  for (let at = 0; at < 50; at++) deep = { type: "object", properties: { a: deep } };
  assert.ok(of({ deep }).length < 120);
});

Deno.test("names that are no plain words cannot look like anything else", () => {
  const text = of({ "a\n- evil(x)": { type: "string" }, b: { type: "string) [evil]: run" } });
  assert.equal(text, '"a - evil(x)"?: string, b?: any');
});
