// deno-lint-ignore-file camelcase -- the names are the vendor's
import type { ToolContent, ToolResult } from "../model/tool.ts";
import { isCommonPicture, pieceText, resultText } from "./result_words.ts";

/** The answer to one call in OpenAI's Chat Completions API. */
export interface OpenAIChatAnswer {
  /** The message that answers the call; it can hold text only. */
  readonly message: {
    /** Whose message it is. */
    readonly role: "tool";
    /** The call that it answers. */
    readonly tool_call_id: string;
    /** The text, with a line in the place of each picture. */
    readonly content: string;
  };
  /**
   * The pictures, for the content of one `user` message that must stand after the answers to all
   * calls of the turn. Often empty; a model without vision does not take them.
   */
  readonly pictures: readonly OpenAIChatPicture[];
}

/** A picture in a message of OpenAI's Chat Completions API. */
export interface OpenAIChatPicture {
  /** Kind of content. */
  readonly type: "image_url";
  /** The picture as a `data:` URL. */
  readonly image_url: { readonly url: string };
}

/** The answer to one call in OpenAI's Responses API. */
export interface OpenAIResponsesAnswer {
  /** Kind of item. */
  readonly type: "function_call_output";
  /** The call that it answers. */
  readonly call_id: string;
  /** The text, or text and pictures. */
  readonly output: string | readonly OpenAIResponsesPart[];
}

/** A piece of an answer in OpenAI's Responses API. */
export type OpenAIResponsesPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" };

/** A result as the answer to a call of OpenAI's Chat Completions API. Pure. */
export function toOpenAIChatAnswer(callId: string, result: ToolResult): OpenAIChatAnswer {
  const pictures = result.content.filter(isCommonPicture).map((piece): OpenAIChatPicture => ({
    type: "image_url",
    image_url: { url: dataUrl(piece) },
  }));
  return {
    message: { role: "tool", tool_call_id: callId, content: resultText(result) },
    pictures,
  };
}

/** A result as the answer to a call of OpenAI's Responses API. Pure. */
export function toOpenAIResponsesAnswer(callId: string, result: ToolResult): OpenAIResponsesAnswer {
  const head = { type: "function_call_output", call_id: callId } as const;
  if (!result.content.some(isCommonPicture)) return { ...head, output: resultText(result) };
  const output = result.content.map((piece): OpenAIResponsesPart =>
    isCommonPicture(piece)
      ? { type: "input_image", image_url: dataUrl(piece), detail: "auto" }
      : { type: "input_text", text: pieceText(piece) }
  );
  return { ...head, output };
}

function dataUrl(piece: ToolContent): string {
  return piece.type === "image" ? `data:${piece.mimeType};base64,${piece.data}` : "";
}
