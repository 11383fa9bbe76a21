import type { ToolResult } from "../model/tool.ts";
import { isCommonPicture, resultText } from "./result_words.ts";

/** A part of the answer to a call in the Gemini API. */
export type GeminiAnswerPart =
  | {
    readonly functionResponse: {
      readonly id?: string;
      readonly name: string;
      readonly response: { readonly output: string } | { readonly error: string };
    };
  }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } };

/** A call of the Gemini API, as far as its answer repeats it. */
export interface GeminiCall {
  /** Public name of the tool. */
  readonly name: string;
  /** The call's id, where the API gives one. */
  readonly id?: string | undefined;
}

/**
 * A result as the answer to a call of the Gemini API: the parts of the next `user` content. The
 * pictures stand beside the answer, where every model takes them. Pure.
 */
export function toGeminiAnswer(call: GeminiCall, result: ToolResult): readonly GeminiAnswerPart[] {
  const text = resultText(result);
  const functionResponse = {
    ...(call.id === undefined ? {} : { id: call.id }),
    name: call.name,
    response: result.isError ? { error: text } : { output: text },
  };
  const pictures = result.content.flatMap((piece): readonly GeminiAnswerPart[] =>
    piece.type === "image" && isCommonPicture(piece)
      ? [{ inlineData: { mimeType: piece.mimeType, data: piece.data } }]
      : []
  );
  return [{ functionResponse }, ...pictures];
}
