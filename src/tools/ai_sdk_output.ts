import type { ToolResult } from "../model/tool.ts";
import { resultText } from "./result_words.ts";

/** A piece of what a model of the AI SDK reads. */
export type AiSdkPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly data: string; readonly mediaType: string }
  | { readonly type: "image-data"; readonly data: string; readonly mediaType: string }
  | {
    readonly type: "file";
    readonly data: { readonly type: "data"; readonly data: string };
    readonly mediaType: string;
  };

/** What a model of the AI SDK reads of a result. */
export type AiSdkOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "error-text"; readonly value: string }
  // The SDK's own type is a mutable array, which a read-only one does not fit.
  | { readonly type: "content"; readonly value: AiSdkPart[] };

/**
 * A result as the `toModelOutput` of a tool of the AI SDK gives it: text, or text and pictures. Pure.
 * @param options `version` is the major version of the package `ai`; each writes pictures its own
 * way. Default 6.
 */
export function toAiSdkOutput(
  result: ToolResult,
  { version = 6 }: { readonly version?: 5 | 6 | 7 } = {},
): AiSdkOutput {
  if (result.isError) return { type: "error-text", value: resultText(result) };
  if (!result.content.some(({ type }) => type === "image")) {
    return { type: "text", value: resultText(result) };
  }
  const value = result.content.map((piece): AiSdkPart => {
    if (piece.type === "text") return piece;
    const { data, mimeType: mediaType } = piece;
    if (version === 5) return { type: "media", data, mediaType };
    if (version === 6) return { type: "image-data", data, mediaType };
    return { type: "file", data: { type: "data", data }, mediaType };
  });
  return { type: "content", value };
}
