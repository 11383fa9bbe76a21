import assert from "node:assert/strict";
import fc from "fast-check";

import type { JsonObject } from "../../src/model/json.ts";
import type { Tool } from "../../src/model/tool.ts";
import { toAiSdkTools } from "../../src/tools/ai_sdk_tools.ts";
import { toAnthropicTools } from "../../src/tools/anthropic_tools.ts";
import { toGeminiTools } from "../../src/tools/gemini_tools.ts";
import { toOpenAIChatTools, toOpenAIResponsesTools } from "../../src/tools/openai_tools.ts";
import type { ToolWarning } from "../../src/tools/vendor_tools.ts";
import { offeredTool } from "./made.ts";

const SCHEMA = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

/** What every conversion has in common: the names that it gives, and what it says about others. */
interface Converted {
  readonly names: readonly string[];
  readonly leftOut: readonly string[];
  readonly warnings: readonly ToolWarning[];
}

const CONVERSIONS: Readonly<Record<string, (tools: readonly Tool[]) => Converted>> = {
  chat(tools): Converted {
    const { tools: shaped, ...rest } = toOpenAIChatTools(tools);
    return { names: shaped.map((tool) => tool.function.name), ...rest };
  },
  responses(tools): Converted {
    const { tools: shaped, ...rest } = toOpenAIResponsesTools(tools);
    return { names: shaped.map(({ name }) => name), ...rest };
  },
  anthropic(tools): Converted {
    const { tools: shaped, ...rest } = toAnthropicTools(tools);
    return { names: shaped.map(({ name }) => name), ...rest };
  },
  gemini(tools): Converted {
    const { tools: shaped, ...rest } = toGeminiTools(tools);
    const names = shaped.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name));
    return { names, ...rest };
  },
  aiSdk(tools): Converted {
    const { tools: shaped, ...rest } = toAiSdkTools(tools);
    return { names: Object.keys(shaped), ...rest };
  },
};

Deno.test("a tool takes the shape of each vendor's API (A6)", () => {
  const tools = [offeredTool("mcp_srv_search", { inputSchema: SCHEMA })];
  const said = { name: "mcp_srv_search", description: "Finds things" };
  assert.deepEqual(toOpenAIChatTools(tools).tools, [
    { type: "function", function: { ...said, parameters: SCHEMA } },
  ]);
  assert.deepEqual(toOpenAIResponsesTools(tools).tools, [
    { type: "function", ...said, parameters: SCHEMA, strict: false },
  ]);
  assert.deepEqual(toAnthropicTools(tools).tools, [{ ...said, input_schema: SCHEMA }]);
  assert.deepEqual(toGeminiTools(tools).tools, [
    { functionDeclarations: [{ ...said, parameters: SCHEMA }] },
  ]);
  for (const convert of Object.values(CONVERSIONS)) {
    const { leftOut, warnings } = convert(tools);
    assert.deepEqual([leftOut, warnings], [[], []]);
  }
});

Deno.test("with no tool the host gets none, not even an empty declaration (A6)", () => {
  assert.deepEqual(toOpenAIChatTools([]).tools, []);
  assert.deepEqual(toOpenAIResponsesTools([]).tools, []);
  assert.deepEqual(toAnthropicTools([]).tools, []);
  assert.deepEqual(toGeminiTools([]).tools, []);
  assert.deepEqual(toAiSdkTools([]).tools, {});
  assert.deepEqual(
    toGeminiTools([offeredTool("a", { inputSchema: { type: "string" } })]).tools,
    [],
  );
});

Deno.test("one bad schema costs its own tool alone, and says why [D07] [D09]", () => {
  const tools = [
    offeredTool("first", { inputSchema: SCHEMA }),
    offeredTool("bad", { inputSchema: { type: "string" } }, { server: "odd" }),
    offeredTool("repaired", { inputSchema: { properties: { a: { type: "str" } } } }),
    offeredTool("empty", { inputSchema: {} }),
  ];
  for (const [vendor, convert] of Object.entries(CONVERSIONS)) {
    const { names, leftOut, warnings } = convert(tools);
    assert.deepEqual(names, ["first", "repaired", "empty"], vendor);
    assert.deepEqual(leftOut, ["bad"], vendor);
    assert.deepEqual(warnings.map(({ name, server }) => [name, server]), [
      ["bad", "odd"],
      ["repaired", "srv"],
    ], vendor);
    assert.match(warnings[0]?.message ?? "", /left out/);
  }
});

Deno.test("names that a vendor refuses, or that come twice, cost their tool alone [D01] [D02] [D05]", () => {
  const long = "n".repeat(65);
  const tools = ["ok", "ok", "1st", long, "a b", "a.b"].map((name) => offeredTool(name));
  assert.deepEqual(CONVERSIONS["chat"]?.(tools).names, ["ok", "1st"]);
  assert.deepEqual(CONVERSIONS["anthropic"]?.(tools).names, ["ok", "1st", long]);
  const gemini = CONVERSIONS["gemini"]?.(tools);
  assert.deepEqual(gemini?.names, ["ok", "a.b"]);
  assert.deepEqual(gemini?.leftOut, ["ok", "1st", long, "a b"]);
  assert.match(gemini?.warnings[0]?.message ?? "", /another one has its name/);
  assert.match(gemini?.warnings[1]?.message ?? "", /takes no such name/);
});

Deno.test("a tool that says nothing of itself is described by its title or name [D18]", () => {
  const tools = [
    offeredTool("a", { description: "", title: "Do things" }),
    offeredTool("b", { description: "", name: "raw.name" }),
  ];
  assert.deepEqual(toAnthropicTools(tools).tools.map(({ description }) => description), [
    "Do things",
    "raw.name",
  ]);
});

Deno.test("a Gemini function without arguments has no key for them", () => {
  const { tools } = toGeminiTools([offeredTool("a", { inputSchema: {} })]);
  assert.deepEqual(tools, [
    { functionDeclarations: [{ name: "a", description: "Finds things" }] },
  ]);
});

Deno.test("the arguments are those that the tool itself states, not those of its server", () => {
  const tool = offeredTool("a", { inputSchema: SCHEMA });
  const wrapped: Tool = {
    ...tool,
    parameters: { type: "object", properties: { more: { type: "number" } } },
    execute: (args) => tool.execute(args),
  };
  assert.deepEqual(toAnthropicTools([wrapped]).tools[0]?.input_schema, wrapped.parameters);
});

Deno.test("whatever schema a tool has, the tools beside it are converted, and all is JSON", () => {
  const deep = "x".repeat(20_000).split("").reduce<JsonObject>(
    (items) => ({ type: "array", items }),
    { type: "string" },
  );
  const odd = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constant({ type: "object", properties: { deep } }),
    fc.jsonValue().map((properties) => ({ type: "object", properties })),
  );
  fc.assert(
    fc.property(odd, (schema) => {
      const inputSchema = schema as JsonObject;
      const tools = [offeredTool("a"), offeredTool("odd", { inputSchema }), offeredTool("z")];
      for (const convert of Object.values(CONVERSIONS)) {
        const { names, leftOut } = convert(tools);
        assert.deepEqual(names.filter((name) => name !== "odd"), ["a", "z"]);
        assert.equal(names.length + leftOut.length, 3);
      }
      JSON.stringify([toOpenAIChatTools(tools), toAnthropicTools(tools), toGeminiTools(tools)]);
    }),
  );
});
