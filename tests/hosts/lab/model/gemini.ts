import { isJsonObject, type JsonObject } from "../../../../src/model/json.ts";
import {
  Conversation,
  dataEvents,
  type ModelApi,
  type ModelReply,
  type ModelRequest,
  objects,
  textOf,
} from "./model_api.ts";

/** Gemini's streamed generation of content. */
export const GEMINI: ModelApi = {
  name: "gemini",
  matches: (path) => path.endsWith(":streamGenerateContent"),
  read(body): ModelRequest {
    const conversation = new Conversation();
    for (const { role, parts } of objects(body["contents"])) {
      if (role !== "user") continue;
      for (const { text, functionResponse } of objects(parts)) {
        conversation.prompt(textOf(text));
        if (isJsonObject(functionResponse)) {
          conversation.results.push(JSON.stringify(functionResponse["response"]));
        }
      }
    }
    const tools = objects(body["tools"])
      .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
      .map(({ name }) => textOf(name));
    return { tools, prompts: conversation.prompts, results: conversation.results };
  },
  answer(reply): string {
    const content = { role: "model", parts: [said(reply)] };
    return dataEvents([{
      candidates: [{ content, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    }]);
  },
};

function said(reply: ModelReply): JsonObject {
  return reply.kind === "text"
    ? { text: reply.text }
    : { functionCall: { name: reply.tool, args: reply.args } };
}
