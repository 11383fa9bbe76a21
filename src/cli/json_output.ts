import type { HotplugError } from "../model/errors.ts";
import { type ErrorDocument, SCHEMA_VERSION } from "./documents.ts";

/**
 * Characters that could steer or deceive a terminal and that `JSON.stringify` leaves as they are:
 * DEL and C1 controls, zero-width and direction marks, line separators, variation of invisible
 * operators, the byte order mark, and the tag block.
 */
const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** A document as text: two spaces of indentation, a line end, nothing in it that a terminal obeys. */
export function jsonText(document: unknown): string {
  return `${harmlessJson(JSON.stringify(document, null, 2))}\n`;
}

/** JSON text in which nothing is left that a terminal obeys; it means the same. */
export function harmlessJson(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** An error as the `error` field of a document. */
export function errorField(error: HotplugError): ErrorDocument["error"] {
  const { code, message, hint, ...more } = error.toInfo();
  return { code, message, hint, details: { ...error.details, ...more } };
}

/** The document of a command that has nothing but its failure to tell. */
export function errorDocument(error: HotplugError): ErrorDocument {
  return { schemaVersion: SCHEMA_VERSION, error: errorField(error) };
}

/** A character as the JSON escapes of its UTF-16 units. */
function escaped(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index += 1) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return text;
}
