import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import type { ToolContent } from "../model/tool.ts";
import { readBase64, sizeText } from "./base64_data.ts";
import { modelText } from "./model_text.ts";
import { jsonText } from "./structured_text.ts";

/** What became of content blocks. */
export interface RenderedContent {
  /** One or more pieces a block, in order. */
  readonly content: readonly ToolContent[];
  /** What was odd, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Content blocks as an agent gets them: pictures stay pictures, everything else becomes text that
 * at least says what was there. No kind, known or not, is lost. Pure; never throws.
 */
export function renderContent(blocks: readonly JsonObject[]): RenderedContent {
  const warnings: string[] = [];
  const content = blocks.map((block) => renderBlock(block, warnings));
  return { content, warnings };
}

function renderBlock(block: JsonObject, warnings: string[]): ToolContent {
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? text(block["text"]) : unknown(block);
    case "image":
      return renderPicture(block["data"], stringOf(block["mimeType"]), "image", warnings) ??
        unknown(block);
    case "audio":
      return renderAudio(block, warnings);
    case "resource":
      return isJsonObject(block["resource"])
        ? renderResource(block["resource"], warnings)
        : unknown(block);
    case "resource_link":
      return renderLink(block);
    default:
      return unknown(block);
  }
}

/** A picture, a line in its place when its data is broken, or `null` when it has no data. */
function renderPicture(
  raw: JsonValue | undefined,
  declared: string,
  label: string,
  warnings: string[],
): ToolContent | null {
  if (typeof raw !== "string" || raw === "") return null;
  const { data, mimeType } = readBase64(raw);
  const type = pictureType(mimeType, declared);
  if (data !== null && data !== "") return { type: "image", data, mimeType: type };
  warnings.push(`The data of ${article(label)} is not base64, so only its place is shown.`);
  return text(`[${label} ${type}, ${raw.length} characters that are not base64]`);
}

/** What the bytes say wins over what the server says: vendors reject a picture of the wrong type. */
function pictureType(seen: string | null, declared: string): string {
  if (seen?.startsWith("image/") === true) return seen;
  return declared.startsWith("image/") ? declared : "image/png";
}

function renderAudio(block: JsonObject, warnings: string[]): ToolContent {
  const raw = block["data"];
  if (typeof raw !== "string") return unknown(block);
  const { data, size, mimeType } = readBase64(raw);
  const type = stringOf(block["mimeType"]) || mimeType || "audio";
  if (data === null) warnings.push("The data of an audio block is not base64.");
  return text(`[audio ${type}, ${data === null ? `${raw.length} characters` : sizeText(size)}]`);
}

/** An embedded resource: its text; if that is empty its blob; if there is none its URI. [E10] */
function renderResource(resource: JsonObject, warnings: string[]): ToolContent {
  const uri = stringOf(resource["uri"]);
  const declared = stringOf(resource["mimeType"]);
  const body = stringOf(resource["text"]);
  if (body !== "") return text(uri === "" ? body : `[resource ${uri}]\n${body}`);
  const blob = stringOf(resource["blob"]);
  if (blob === "") return uri === "" ? unknown(resource) : text(`[resource ${uri}]`);
  const { data, size, mimeType } = readBase64(blob);
  const type = declared || mimeType || "application/octet-stream";
  const label = `resource${uri === "" ? "" : ` ${uri}`}`;
  if (type.startsWith("image/")) {
    const picture = renderPicture(blob, type, label, warnings);
    if (picture !== null) return picture;
  }
  if (data === null) warnings.push("The blob of a resource is not base64.");
  return text(
    `[${label} ${type}, ${data === null ? `${blob.length} characters` : sizeText(size)}]`,
  );
}

function renderLink(block: JsonObject): ToolContent {
  const uri = stringOf(block["uri"]);
  if (uri === "") return unknown(block);
  const name = stringOf(block["title"]) || stringOf(block["name"]);
  const description = stringOf(block["description"]);
  const size = typeof block["size"] === "number" ? sizeText(block["size"]) : "";
  const facts = [stringOf(block["mimeType"]), size].filter((fact) => fact !== "").join(", ");
  const head = [name, uri, facts === "" ? "" : `(${facts})`].filter((part) => part !== "");
  return text(`[resource link ${head.join(" ")}]${description === "" ? "" : `\n${description}`}`);
}

/** A kind that this version does not know, as its JSON. */
function unknown(block: JsonObject): ToolContent {
  return text(jsonText(block));
}

function text(body: string): ToolContent {
  return { type: "text", text: modelText(body) };
}

function article(label: string): string {
  return `${/^[aeiou]/.test(label) ? "an" : "a"} ${label}`;
}

function stringOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
