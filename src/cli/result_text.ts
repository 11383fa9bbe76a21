import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { CallToolResult } from "../model/tool.ts";
import { readBase64, sizeText } from "../tools/base64_data.ts";

/** One piece of a tool's answer, before it is printed. */
export type ResultPiece =
  /** Text as the server sent it. */
  | { readonly kind: "text"; readonly text: string }
  /** Bytes: shown as a note, or saved to a file. */
  | {
    readonly kind: "file";
    /** What it is, such as `image` or `resource`. */
    readonly label: string;
    /** Its media type. */
    readonly mimeType: string;
    /** URI or name that a file name is made from; empty when there is none. */
    readonly from: string;
    /** Standard base64; `null` when the server sent something else. */
    readonly data: string | null;
    /** Number of bytes, or of characters when it is no base64. */
    readonly size: number;
  };

/**
 * A tool's answer piece by piece, in order; nothing is left out. The structured content comes last
 * and only when there is no other content.
 */
export function resultPieces(result: CallToolResult): readonly ResultPiece[] {
  const pieces = result.content.map(pieceOf);
  if (pieces.length > 0 || result.structuredContent === undefined) return pieces;
  return [{ kind: "text", text: JSON.stringify(result.structuredContent, null, 2) }];
}

/** The line that stands for bytes: `[image image/png 1.0 MB]`. */
export function fileNote(
  piece: Extract<ResultPiece, { kind: "file" }>,
  savedAs: string | null,
): string {
  const { label, mimeType, from, data, size } = piece;
  const name = label === "resource" && from !== "" ? ` ${from}` : "";
  const bytes = data === null ? `${size} characters that are no base64` : sizeText(size);
  const saved = savedAs === null ? "" : ` saved to ${savedAs}`;
  return `[${label}${name} ${mimeType} ${bytes}${saved}]`;
}

/** One content block. */
function pieceOf(block: JsonObject): ResultPiece {
  const text = textOf(block["text"]);
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: text ?? JSON.stringify(block) };
    case "image":
    case "audio":
      return bytesOf(block["type"], block["data"], block["mimeType"], "") ?? unknown(block);
    case "resource":
      return resourceOf(block["resource"]) ?? unknown(block);
    case "resource_link": {
      const name = textOf(block["title"]) ?? textOf(block["name"]) ?? "";
      const uri = textOf(block["uri"]) ?? "";
      const words = ["resource link", name, uri, textOf(block["mimeType"]) ?? ""];
      return { kind: "text", text: `[${words.filter((word) => word !== "").join(" ")}]` };
    }
    default:
      return unknown(block);
  }
}

/** An embedded resource: its text, or its bytes. */
function resourceOf(value: JsonValue | undefined): ResultPiece | null {
  if (!isJsonObject(value)) return null;
  const uri = textOf(value["uri"]) ?? "";
  const text = textOf(value["text"]);
  if (text !== null) return { kind: "text", text };
  return bytesOf("resource", value["blob"], value["mimeType"], uri);
}

/** Base64 as a piece; `null` when there is no text at all. */
function bytesOf(
  label: string,
  data: JsonValue | undefined,
  declared: JsonValue | undefined,
  from: string,
): ResultPiece | null {
  const text = textOf(data);
  if (text === null) return null;
  const read = readBase64(text);
  return {
    kind: "file",
    label,
    mimeType: textOf(declared) ?? read.mimeType ?? "application/octet-stream",
    from,
    data: read.data,
    size: read.data === null ? text.length : read.size,
  };
}

/** A block of a kind that is not known, as its JSON. */
function unknown(block: JsonObject): ResultPiece {
  return { kind: "text", text: JSON.stringify(block) };
}

/** A string, or `null`. */
function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
