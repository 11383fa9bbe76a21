/**
 * A program for Node: one turn of the AI SDK, whose files lie at the path given, with a model that
 * calls one of our tools and then stops. Prints what the model was told of the tool and what it got.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Tool } from "../../../src/model/tool.ts";
import { toAiSdkTools } from "../../../src/tools/ai_sdk_tools.ts";
import { MCPTool } from "../../../src/tools/mcp_tool.ts";

/** What is used of the package `ai`, in the versions from 5 on. */
interface AiSdk {
  readonly stepCountIs?: (count: number) => unknown;
  readonly isStepCount?: (count: number) => unknown;
  generateText(options: Readonly<Record<string, unknown>>): Promise<{ readonly text: string }>;
}

/** What a model is asked. */
interface Prompt {
  readonly tools?: unknown;
  readonly prompt: readonly { readonly content: unknown }[];
}

const [path = "", version = ""] = process.argv.slice(2);
const major = Number(version) as 5 | 6 | 7;
const ai = await import(pathToFileURL(path).href) as AiSdk;

const PICTURE = "iVBORw0KGgo=";
const tool: Tool = new MCPTool(
  {
    name: "mcp_srv_greet",
    server: "srv",
    provider: null,
    info: {
      name: "greet",
      title: null,
      description: "Greets",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      outputSchema: null,
      annotations: null,
      raw: {},
    },
    autoApprove: false,
    cacheFolder: null,
  },
  {
    callTool: (_tool, args, { signal }) =>
      Promise.resolve({
        content: [
          { type: "text", text: `Hello ${args["who"]}, ${signal?.aborted ?? "no signal"}` },
          { type: "image", data: PICTURE, mimeType: "image/png" },
        ],
        isError: false,
        raw: {},
      }),
  },
);

const asked: Prompt[] = [];
const reason = (text: string): unknown => major === 5 ? text : { unified: text, raw: text };
const count = (total: number): unknown => major === 5 ? total : { total };
const usage = { inputTokens: count(1), outputTokens: count(1), totalTokens: 2 };
const call = {
  type: "tool-call",
  toolCallId: "1",
  toolName: tool.name,
  input: '{"who":"world"}',
};
const model = {
  specificationVersion: `v${major - 3}`,
  provider: "scripted",
  modelId: "scripted",
  supportedUrls: {},
  doGenerate: (prompt: Prompt): Promise<unknown> => {
    const isFirst = asked.push(prompt) === 1;
    return Promise.resolve({
      content: [isFirst ? call : { type: "text", text: "done" }],
      finishReason: reason(isFirst ? "tool-calls" : "stop"),
      usage,
      warnings: [],
    });
  },
};

const { tools } = toAiSdkTools([tool], { version: major });
const stopWhen = (ai.stepCountIs ?? ai.isStepCount)?.(3);
const { text } = await ai.generateText({
  model,
  tools,
  stopWhen,
  prompt: "hi",
  abortSignal: new AbortController().signal,
});
process.stdout.write(
  JSON.stringify({ text, tools: asked[0]?.tools, answer: asked[1]?.prompt.at(-1)?.content }),
);
