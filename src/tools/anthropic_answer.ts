// deno-lint-ignore-file camelcase -- the names are the vendor's
import type { ToolResult } from "../model/tool.ts";
import { isCommonPicture, pieceText, resultText } from "./result_words.ts";

/** The answer to one call in Anthropic's Messages API: a block of the next `user` message. */
export interface AnthropicAnswer {
  /** Kind of block. */
  readonly type: "tool_result";
  /** The call that it answers. */
  readonly tool_use_id: string;
  /** Text and pictures; text only when the call failed, as nothing else is taken then. */
  readonly content: readonly AnthropicPart[];
  /** Set when the call failed. */
  readonly is_error?: true;
}

/** A piece of an answer in Anthropic's Messages API. */
export type AnthropicPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image";
    readonly source: {
      readonly type: "base64";
      readonly media_type: string;
      readonly data: string;
    };
  };

/** A result as the answer to a call of Anthropic's Messages API. Pure. */
export function toAnthropicAnswer(callId: string, result: ToolResult): AnthropicAnswer {
  const head = { type: "tool_result", tool_use_id: callId } as const;
  if (result.isError) {
    return { ...head, content: [{ type: "text", text: resultText(result) }], is_error: true };
  }
  const content = result.content.flatMap((piece): readonly AnthropicPart[] => {
    if (piece.type === "image" && isCommonPicture(piece)) {
      const source = { type: "base64", media_type: piece.mimeType, data: piece.data } as const;
      return [{ type: "image", source }];
    }
    // An empty text is refused.
    const text = pieceText(piece);
    return text === "" ? [] : [{ type: "text", text }];
  });
  return {
    ...head,
    content: content.length === 0 ? [{ type: "text", text: resultText(result) }] : content,
  };
}
