import assert from "node:assert/strict";

import { isAbortError } from "../../src/model/errors.ts";
import { toAiSdkOutput } from "../../src/tools/ai_sdk_output.ts";
import { toAiSdkTools } from "../../src/tools/ai_sdk_tools.ts";
import { madeToolResult, offeredTool } from "./made.ts";

const PICTURE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

Deno.test("a tool of the AI SDK stands under its public name and calls its server (A6)", async () => {
  const { tools } = toAiSdkTools([offeredTool("mcp_srv_search")]);
  assert.deepEqual(Object.keys(tools), ["mcp_srv_search"]);
  const tool = tools["mcp_srv_search"];
  assert.deepEqual(
    [tool?.type, tool?.title, tool?.description],
    ["dynamic", "search", "Finds things"],
  );
  assert.deepEqual(tool?.inputSchema.jsonSchema, { type: "object", properties: {} });
  for (const mark of ["schema", "validator"]) {
    const known: unknown = Reflect.get(tool?.inputSchema ?? {}, Symbol.for(`vercel.ai.${mark}`));
    assert.equal(known, true);
  }
  assert.ok(tool !== undefined && "validate" in tool.inputSchema);
  const result = await tool.execute({ q: 1 });
  assert.deepEqual(result.content, [{ type: "text", text: 'srv.search {"q":1}' }]);
  assert.deepEqual((await tool.execute(undefined)).content[0], {
    type: "text",
    text: "srv.search {}",
  });
});

Deno.test("the abort of the AI SDK stays an abort", async () => {
  const { tools } = toAiSdkTools([offeredTool("a")]);
  await assert.rejects(
    tools["a"]?.execute({}, { abortSignal: AbortSignal.abort() }) ?? assert.fail(),
    isAbortError,
  );
});

Deno.test("a model of the AI SDK reads text, pictures in its version's way, and failures [E05]", () => {
  const text = { type: "text", text: "seen" } as const;
  assert.deepEqual(toAiSdkOutput(madeToolResult([text, text])), {
    type: "text",
    value: "seen\n\nseen",
  });
  assert.deepEqual(toAiSdkOutput(madeToolResult([])), { type: "text", value: "(no content)" });
  assert.deepEqual(toAiSdkOutput(madeToolResult([text, PICTURE], true)), {
    type: "error-text",
    value: "seen\n\n[image image/png, 9 B]",
  });
  const { data, mimeType: mediaType } = PICTURE;
  const parts = {
    5: { type: "media", data },
    6: { type: "image-data", data },
    7: { type: "file" },
  };
  for (const version of [5, 6, 7] as const) {
    const output = toAiSdkOutput(madeToolResult([text, PICTURE]), { version });
    const last = version === 7 ? { ...parts[7], data: { type: "data", data } } : parts[version];
    assert.deepEqual(output, { type: "content", value: [text, { ...last, mediaType }] });
  }
});

Deno.test("which version asks is told from the call, unless the host says it", () => {
  const result = madeToolResult([PICTURE]);
  const kinds = (version?: 5 | 6 | 7): unknown[] => {
    const { tools } = toAiSdkTools([offeredTool("a")], version === undefined ? {} : { version });
    return [tools["a"]?.toModelOutput(result), tools["a"]?.toModelOutput({ output: result })]
      .map((output) => output?.type === "content" ? output.value[0]?.type : output);
  };
  assert.deepEqual(kinds(), ["media", "image-data"]);
  assert.deepEqual(kinds(7), ["file", "file"]);
});
