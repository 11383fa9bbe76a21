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

/** OpenAI's Responses, streamed, with tools in namespaces. */
export const RESPONSES: ModelApi = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  read(body): ModelRequest {
    const conversation = new Conversation();
    for (const item of objects(body["input"])) {
      if (item["type"] === "function_call_output") {
        conversation.results.push(contentTexts(item["output"]).join("\n"));
      } else if (item["role"] === "user") {
        contentTexts(item["content"]).forEach((text) => conversation.prompt(text));
      }
    }
    const tools = objects(body["tools"]).flatMap((tool) => {
      const name = textOf(tool["name"]);
      if (tool["type"] !== "namespace") return [name];
      return objects(tool["tools"]).map((inner) => `${name}/${textOf(inner["name"])}`);
    });
    return { tools, prompts: conversation.prompts, results: conversation.results };
  },
  answer(reply, id): string {
    const usage = { "input_tokens": 10, "output_tokens": 5, "total_tokens": 15 };
    const item = said(reply, id);
    return typedEvents([
      { type: "response.created", response: { id } },
      { type: "response.output_item.added", "output_index": 0, item },
      { type: "response.output_item.done", "output_index": 0, item },
      { type: "response.completed", response: { id, usage } },
    ]);
  },
};

function said(reply: ModelReply, id: string): JsonObject {
  if (reply.kind === "text") {
    const content = [{ type: "output_text", text: reply.text }];
    return { type: "message", id: `msg_${id}`, role: "assistant", content };
  }
  const [name = "", namespace] = reply.tool.split("/").toReversed();
  const called = { name, "call_id": `call_${id}`, arguments: JSON.stringify(reply.args) };
  return { type: "function_call", ...called, ...(namespace === undefined ? {} : { namespace }) };
}
