// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { Buffer } from "node:buffer";

/** Most bytes of text of one result that the model is given. */
const MOST_TEXT = 50_000;

/** Bytes of them that are taken from the end, where programs tell how they ended. */
const END_TEXT = 10_000;

/**
 * What the host can give to its model.
 *
 * @typedef {{ type: "text", text: string } | { type: "image", data: string, mimeType: string }} ModelContent
 */

/**
 * A result as the host can give it to its model: images stay, all else becomes text.
 *
 * @param {import("./toolset.mjs").Result} result
 * @returns {readonly ModelContent[]}
 */
export function modelContent({ content, details }) {
  const parts = content.map(part);
  const structured = details["structuredContent"];
  if (structured !== undefined && !parts.some(({ type }) => type === "text")) {
    parts.push({ type: "text", text: JSON.stringify(structured) });
  }
  const room = Math.max(MOST_TEXT / Math.max(parts.length, 1), END_TEXT * 2);
  return parts.map((one) =>
    one.type === "text" ? { ...one, text: shortened(one.text, room) } : one
  );
}

/**
 * The texts alone.
 *
 * @param {readonly ModelContent[]} content
 * @returns {string}
 */
export function textOf(content) {
  return content.map((one) => one.type === "text" ? one.text : `[${one.mimeType}]`).join("\n");
}

/**
 * @param {Record<string, any>} block
 * @returns {ModelContent}
 */
function part(block) {
  const { type, text, data, mimeType = "data", uri, name, resource = {} } = block;
  if (type === "text") return { type, text: String(text) };
  if (type === "image" && typeof data === "string") return { type, data, mimeType };
  if (type === "resource_link") return { type: "text", text: `[${name ?? uri}](${uri})` };
  if (type === "resource" && typeof resource.text === "string") {
    return { type: "text", text: resource.text };
  }
  const size = Buffer.byteLength(String(data ?? resource.blob ?? ""), "base64");
  const what = resource.uri ?? type;
  return { type: "text", text: `[${what}: ${resource.mimeType ?? mimeType}, ${size} bytes]` };
}

/**
 * @param {string} text
 * @param {number} room
 * @returns {string}
 */
function shortened(text, room) {
  const left = text.length - room;
  if (left <= 0) return text;
  const head = text.slice(0, room - END_TEXT);
  return `${head}\n[… ${left} characters left out …]\n${text.slice(-END_TEXT)}`;
}
