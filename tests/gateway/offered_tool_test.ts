import assert from "node:assert/strict";
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { offeredTool } from "../../src/gateway/offered_tool.ts";
import { soundInputSchema, soundOutputSchema } from "../../src/gateway/sound_schema.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { toolOf } from "./made.ts";

/** Whether a host that checks lists as the SDK's 1.x line does takes this tool. */
function isTaken(listed: JsonObject | null): boolean {
  return ListToolsResultSchema.safeParse({ tools: [listed] }).success;
}

Deno.test("schemas for which hosts refuse a whole list are repaired [D07]", () => {
  const schemas: readonly JsonObject[] = [
    {},
    { properties: { a: { type: "string" } } },
    { type: "Object" },
    { type: ["object", "null"] },
    { type: "object", properties: { a: true, b: false, c: 5, d: { type: "string" } } },
    { type: "object", properties: [] },
    { anyOf: [{ type: "object", properties: { a: {} } }, { type: "object" }] },
    { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { a: {} } } } },
  ];
  for (const inputSchema of schemas) {
    const { listed } = offeredTool(toolOf("s", { name: "t", inputSchema }), null);
    assert.ok(isTaken(listed), JSON.stringify(listed));
    const schema = listed?.["inputSchema"] as JsonObject;
    assert.equal(schema["type"], "object");
    const properties = Object.values(schema["properties"] as JsonObject);
    assert.ok(properties.every((value) => typeof value === "object"), JSON.stringify(schema));
    for (const keyword of ["anyOf", "$ref"]) assert.equal(schema[keyword], undefined);
  }
});

Deno.test("arguments that may be anything stay, those that may not be given go", () => {
  const given = { type: "object", properties: { a: true, b: false }, required: ["a"] };
  assert.deepEqual(soundInputSchema(given).schema?.["properties"], { a: {} });
});

Deno.test("a sound schema is passed on as it is", () => {
  const given = {
    type: "object",
    properties: { a: { type: "string", pattern: "^x" }, b: { $ref: "#/$defs/B" } },
    required: ["a"],
    additionalProperties: false,
    $defs: { B: { type: "integer", minimum: 1 } },
  };
  assert.deepEqual(soundInputSchema(given), { schema: given, repairs: [] });
  assert.deepEqual(soundOutputSchema(given), given);
});

Deno.test("a tool whose arguments can be no object is left out alone, with a reason", () => {
  const { listed, warning } = offeredTool(
    toolOf("s", { name: "t", inputSchema: { type: "string" } }),
    null,
  );
  assert.equal(listed, null);
  assert.match(warning ?? "", /left out/);
});

Deno.test("an output schema that a host may not compile is left out, the tool stays [C10] [C11]", () => {
  for (
    const outputSchema of [
      { type: "object", properties: { s: { $ref: "#/$defs/Missing" } } },
      { $id: "x", description: "no type" },
      { type: "array" },
      { type: "object", properties: { s: { type: "nonsense" } } },
      "text",
    ]
  ) {
    const { listed, warning } = offeredTool(toolOf("s", { name: "t", outputSchema }), null);
    assert.equal(listed?.["outputSchema"], undefined);
    assert.match(warning ?? "", /output schema/);
    assert.ok(isTaken(listed));
  }
});

Deno.test("fields of a wrong type are left out, and what the host needs is added [D18]", () => {
  const tool = toolOf("files", {
    name: "t",
    title: 5,
    annotations: { readOnlyHint: "yes", destructiveHint: true, title: null },
    icons: [{ src: 1 }, { src: "data:,", sizes: "48x48" }],
    execution: { taskSupport: "sometimes" },
    _meta: { own: 1, "anthropic/alwaysLoad": false },
  });
  const { listed, warning } = offeredTool(tool, { "anthropic/alwaysLoad": true });
  assert.deepEqual(listed, {
    name: "files_t",
    description: "",
    inputSchema: { type: "object", properties: {} },
    annotations: { destructiveHint: true },
    icons: [{ src: "data:," }],
    _meta: { own: 1, "anthropic/alwaysLoad": true, "dev.hotplug/server": "files" },
  });
  assert.equal(warning, null);
  assert.ok(isTaken(listed));
});
