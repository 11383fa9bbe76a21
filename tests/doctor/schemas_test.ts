import assert from "node:assert/strict";
import { ageWords } from "../../src/doctor/age_words.ts";
import { schemaFindings } from "../../src/doctor/schemas.ts";
import type { Subject } from "../../src/doctor/subject.ts";
import type { ToolInfo } from "../../src/model/listing.ts";
import { of, subject, told, tool } from "./made.ts";

function listing(name: string, tools: readonly ToolInfo[] | null, ageMs = 7_200_000): Subject {
  return subject(of("cursor", { command: name }, {}, name), {
    tools: tools === null ? null : { tools, ageMs },
  });
}

Deno.test("what each vendor's form repairs or leaves out is told with the age of the list", () => {
  const found = schemaFindings([listing("s", [
    tool("fine", { properties: { a: { type: "string" } } }),
    tool("typo", { properties: { a: { type: "str" } } }),
    tool("typo2", { properties: { b: { type: "int" } } }),
    tool("named", { properties: { "a b": { type: "string" } }, required: ["a b"] }),
    tool("less", { properties: { "c d": { type: "string" } } }),
    { ...tool("list"), inputSchema: { type: "array" } },
  ])]);
  const fit = "Nothing to do here: what a model gets is made fit for it; tell the server's author";
  const lost = "Tell the server's author, or use a model of another vendor for this tool";
  const age = "(list of 2 hours ago)";
  assert.deepEqual(told(found), [
    `info: Tools "typo" and "typo2" for every vendor: the schema was repaired at "type" ${age} → ${fit}`,
    `warning: Tool "named" for Anthropic: the tool is left out: it needs arguments named "a b" ${age} → ${lost}`,
    `info: Tool "less" for Anthropic: arguments are left out for their names: "c d" ${age} → ${fit}`,
    `warning: Tool "list" for every vendor: the tool is left out: its arguments are not an object ${age} → ${lost}`,
  ]);
});

Deno.test("servers without a list are named with the command that reads it", () => {
  assert.deepEqual(told(schemaFindings([listing("a", null), listing("b c", null)])), [
    'info: No list of tools is remembered of "a" and "b c", so theirs could not be checked → Read ' +
    "the lists, then look again: mcp tools --refresh a 'b c'",
  ]);
  const waits: Subject = { ...listing("w", null), verdict: { state: "untrusted", reason: null } };
  assert.deepEqual(schemaFindings([waits]), []);
});

Deno.test("a name that a server made up is cut before it is shown", () => {
  const name = "x".repeat(5_000);
  const [finding] = schemaFindings([
    listing("s", [tool(name, { properties: { a: { type: "str" } } })]),
  ]);
  assert.ok((finding?.message.length ?? 0) < 400);
});

Deno.test("an age is told in its largest unit", () => {
  const ages: readonly (readonly [number, string])[] = [
    [0, "a moment"],
    [60_000, "1 minute"],
    [3_600_000 * 5, "5 hours"],
    [86_400_000, "1 day"],
    [86_400_000 * 40, "40 days"],
  ];
  for (const [ms, words] of ages) assert.equal(ageWords(ms), words);
});
