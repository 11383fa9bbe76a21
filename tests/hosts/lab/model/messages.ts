import type { JsonObject } from "../../../../src/model/json.ts";
import {
  contentTexts,
  Conversation,
  type ModelApi,
  type ModelReply,
  type ModelRequest,
  objects,
  textOf,
  typedEvents,
} from "./model_api.ts";

/** Anthropic's Messages, streamed. */
export const MESSAGES: ModelApi = {
  name: "messages",
  matches: (path) => path.endsWith("/messages"),
  read(body): ModelRequest {
    const conversation = new Conversation();
    for (const { role, content } of objects(body["messages"])) {
      if (role !== "user") continue;
      if (typeof content === "string") conversation.prompt(content);
      for (const block of objects(content)) {
        if (block["type"] !== "tool_result") conversation.prompt(textOf(block["text"]));
        else conversation.results.push(contentTexts(block["content"]).join("\n"));
      }
    }
    const tools = objects(body["tools"]).map(({ name }) => textOf(name));
    return { tools, prompts: conversation.prompts, results: conversation.results };
  },
  answer(reply, id): string {
    const usage = { "input_tokens": 10, "output_tokens": 5 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "fake-model",
      content: [],
      "stop_reason": null,
      "stop_sequence": null,
      usage,
    };
    const { start, delta, reason } = block(reply, id);
    return typedEvents([
      { type: "message_start", message },
      { type: "content_block_start", index: 0, "content_block": start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { "stop_reason": reason, "stop_sequence": null }, usage },
      { type: "message_stop" },
    ]);
  },
};

/** The one block of an answer: how it begins, what comes, and why the answer ends after it. */
interface Block {
  readonly start: JsonObject;
  readonly delta: JsonObject;
  readonly reason: string;
}

function block(reply: ModelReply, id: string): Block {
  if (reply.kind === "text") {
    const delta = { type: "text_delta", text: reply.text };
    return { start: { type: "text", text: "" }, delta, reason: "end_turn" };
  }
  return {
    start: { type: "tool_use", id: `toolu_${id}`, name: reply.tool, input: {} },
    delta: { type: "input_json_delta", "partial_json": JSON.stringify(reply.args) },
    reason: "tool_use",
  };
}
