import type { ToolContent, ToolResult } from "../model/tool.ts";
import { sizeText } from "./base64_data.ts";

/** Picture formats that every model vendor takes. */
const PICTURE_TYPES: readonly string[] = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/** Whether every vendor takes a picture; another one makes it refuse the whole request. */
export function isCommonPicture(piece: ToolContent): boolean {
  return piece.type === "image" && PICTURE_TYPES.includes(piece.mimeType);
}

/** A piece in words: a text as it is, of a picture what and how big it is. */
export function pieceText(piece: ToolContent): string {
  if (piece.type === "text") return piece.text;
  return `[image ${piece.mimeType}, ${sizeText(Math.floor((piece.data.length * 3) / 4))}]`;
}

/** A whole result in words, pieces parted by a blank line. Never empty: vendors ask for a text. */
export function resultText({ content }: ToolResult): string {
  return content.map(pieceText).filter((text) => text !== "").join("\n\n") || "(no content)";
}
