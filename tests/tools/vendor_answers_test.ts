import assert from "node:assert/strict";

import { toAnthropicAnswer } from "../../src/tools/anthropic_answer.ts";
import { toGeminiAnswer } from "../../src/tools/gemini_answer.ts";
import { toOpenAIChatAnswer, toOpenAIResponsesAnswer } from "../../src/tools/openai_answer.ts";
import { madeToolResult } from "./made.ts";

const TEXT = { type: "text", text: "seen" } as const;
const EMPTY = { type: "text", text: "" } as const;
const PNG = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
const SVG = { type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" } as const;
const PNG_URL = `data:image/png;base64,${PNG.data}`;

Deno.test("a text answers a call of every vendor (A6)", () => {
  const result = madeToolResult([TEXT, EMPTY, TEXT]);
  const value = "seen\n\nseen";
  assert.deepEqual(toOpenAIChatAnswer("1", result), {
    message: { role: "tool", tool_call_id: "1", content: value },
    pictures: [],
  });
  assert.deepEqual(toOpenAIResponsesAnswer("1", result), {
    type: "function_call_output",
    call_id: "1",
    output: value,
  });
  assert.deepEqual(toAnthropicAnswer("1", result), {
    type: "tool_result",
    tool_use_id: "1",
    content: [TEXT, TEXT],
  });
  assert.deepEqual(toGeminiAnswer({ name: "t", id: "1" }, result), [
    { functionResponse: { id: "1", name: "t", response: { output: value } } },
  ]);
});

Deno.test("pictures stay pictures where the vendor takes them, else a line says so [E05]", () => {
  const result = madeToolResult([TEXT, PNG, SVG]);
  const line = "[image image/svg+xml, 6 B]";
  assert.deepEqual(toOpenAIChatAnswer("1", result), {
    message: {
      role: "tool",
      tool_call_id: "1",
      content: `seen\n\n[image image/png, 9 B]\n\n${line}`,
    },
    pictures: [{ type: "image_url", image_url: { url: PNG_URL } }],
  });
  assert.deepEqual(toOpenAIResponsesAnswer("1", result).output, [
    { type: "input_text", text: "seen" },
    { type: "input_image", image_url: PNG_URL, detail: "auto" },
    { type: "input_text", text: line },
  ]);
  assert.deepEqual(toAnthropicAnswer("1", result).content, [
    TEXT,
    { type: "image", source: { type: "base64", media_type: "image/png", data: PNG.data } },
    { type: "text", text: line },
  ]);
  assert.deepEqual(toGeminiAnswer({ name: "t" }, result).slice(1), [
    { inlineData: { mimeType: "image/png", data: PNG.data } },
  ]);
});

Deno.test("a failure says so in each vendor's way, to Anthropic in text alone [E08]", () => {
  const result = madeToolResult([TEXT, PNG], true);
  const value = "seen\n\n[image image/png, 9 B]";
  assert.deepEqual(toAnthropicAnswer("1", result), {
    type: "tool_result",
    tool_use_id: "1",
    content: [{ type: "text", text: value }],
    is_error: true,
  });
  assert.deepEqual(toGeminiAnswer({ name: "t" }, result)[0], {
    functionResponse: { name: "t", response: { error: value } },
  });
  assert.equal(toOpenAIChatAnswer("1", result).message.content, value);
});

Deno.test("an empty result still answers", () => {
  for (const result of [madeToolResult([]), madeToolResult([EMPTY])]) {
    assert.equal(toOpenAIChatAnswer("1", result).message.content, "(no content)");
    assert.equal(toOpenAIResponsesAnswer("1", result).output, "(no content)");
    assert.deepEqual(toAnthropicAnswer("1", result).content, [
      { type: "text", text: "(no content)" },
    ]);
  }
});
