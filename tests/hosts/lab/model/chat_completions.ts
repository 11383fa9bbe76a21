import { isJsonObject, type JsonObject } from "../../../../src/model/json.ts";
import {
  contentTexts,
  Conversation,
  dataEvents,
  type ModelApi,
  type ModelReply,
  type ModelRequest,
  objects,
  textOf,
} from "./model_api.ts";

/** OpenAI's chat completions, streamed. */
export const CHAT_COMPLETIONS: ModelApi = {
  name: "chat completions",
  matches: (path) => path.endsWith("/chat/completions"),
  read(body): ModelRequest {
    const conversation = new Conversation();
    for (const message of objects(body["messages"])) {
      const texts = contentTexts(message["content"]);
      if (message["role"] === "user") texts.forEach((text) => conversation.prompt(text));
      if (message["role"] === "tool") conversation.results.push(texts.join("\n"));
    }
    const tools = objects(body["tools"]).map(({ function: declared }) =>
      isJsonObject(declared) ? textOf(declared["name"]) : ""
    );
    return { tools, prompts: conversation.prompts, results: conversation.results };
  },
  answer(reply, id): string {
    const head = { id, object: "chat.completion.chunk", created: 1, model: "fake-model" };
    const chunk = (delta: JsonObject, reason: string | null): JsonObject => ({
      ...head,
      choices: [{ index: 0, delta, "finish_reason": reason }],
    });
    const usage = { "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 };
    const events = [
      chunk({ role: "assistant", ...said(reply, id) }, null),
      chunk({}, reply.kind === "call" ? "tool_calls" : "stop"),
      { ...head, choices: [], usage },
    ];
    return dataEvents(events) + "data: [DONE]\n\n";
  },
};

function said(reply: ModelReply, id: string): JsonObject {
  if (reply.kind === "text") return { content: reply.text };
  const called = { name: reply.tool, arguments: JSON.stringify(reply.args) };
  return { "tool_calls": [{ index: 0, id: `call_${id}`, type: "function", function: called }] };
}
