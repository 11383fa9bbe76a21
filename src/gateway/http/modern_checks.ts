import type { FrameId } from "../../connection/frames.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { METHODS, OPENING_METHODS } from "../methods.ts";
import { MODERN_VERSIONS, versionRefusal } from "../protocol_versions.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND } from "../rpc.ts";
import { HEADER_MISMATCH, type Refusal } from "./http_answers.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const INFO_KEY = "io.modelcontextprotocol/clientInfo";

/** Methods of the legacy era that the modern one does not have. */
const LEGACY_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** By which parameter each method names what it is about, also in `Mcp-Name`. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** The headers that say what is in the body. */
export interface StandardHeaders {
  /** `MCP-Protocol-Version`. */
  readonly version: string | null;
  /** `Mcp-Method`. */
  readonly method: string | null;
  /** `Mcp-Name`. */
  readonly name: string | null;
}

/** A message of the modern era. */
export interface ModernMessage {
  /** Its id; absent for a notification. */
  readonly id?: FrameId;
  /** Its method. */
  readonly method: string;
  /** Its parameters. */
  readonly params: JsonObject;
}

/** Whether parameters claim to be of the modern era: they name a revision, whichever. Pure. */
export function claimsModern(params: JsonObject): boolean {
  const meta = params["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, VERSION_KEY);
}

/** Whether a header names a revision of the modern era. Pure. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && MODERN_VERSIONS.includes(version);
}

/**
 * Why a request or notification that names a revision in its body, or a modern one in its header, is
 * refused; `null` when it is sound. In the order of the official server. Pure.
 */
export function modernRefusal(message: ModernMessage, headers: StandardHeaders): Refusal | null {
  const { id, method, params } = message;
  const refusal = (status: number, code: number, text: string, data?: JsonValue): Refusal => ({
    status,
    code,
    message: text,
    ...(data === undefined ? {} : { data }),
    ...(id === undefined ? {} : { id }),
  });
  const mismatch = (header: string, body: string): Refusal =>
    refusal(400, HEADER_MISMATCH, `Bad Request: headers and body disagree: ${body}`, {
      mismatch: { header, body },
    });
  const isRequest = id !== undefined;
  const problem = envelopeProblem(params, isRequest);
  if (problem !== null) {
    const text = `Invalid params: _meta: ${problem.key}: ${problem.problem}`;
    return refusal(400, INVALID_PARAMS, text, { envelope: problem });
  }
  const version = versionOf(params);
  if (version !== null && headers.version !== null && headers.version !== version) {
    return mismatch(headers.version, `the body names revision ${shown(version)}`);
  }
  if (headers.method !== null && headers.method !== method) {
    return mismatch(headers.method, `the body names method ${shown(method)}`);
  }
  const unsupported = versionRefusal(version);
  if (unsupported !== null && "error" in unsupported) {
    const { code, message: text, data } = unsupported.error;
    return refusal(400, code, text, data);
  }
  if (!isRequest) return null;
  if (headers.version === null) return mismatch("(missing)", "MCP-Protocol-Version is required");
  if (headers.method === null) return mismatch("(missing)", "Mcp-Method is required");
  const wrong = nameMismatch(message, headers.name);
  if (wrong !== null) return mismatch(wrong.header, wrong.body);
  if (LEGACY_METHODS.has(method) || !(METHODS.has(method) || OPENING_METHODS.has(method))) {
    return refusal(404, METHOD_NOT_FOUND, `Method not found: ${shown(method)}`);
  }
  return null;
}

/** What is wrong with `_meta` of a message; `null` for nothing. */
function envelopeProblem(
  params: JsonObject,
  isRequest: boolean,
): { readonly key: string; readonly problem: string } | null {
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  const version = meta[VERSION_KEY];
  if (version === undefined && !isRequest) return null;
  if (version === undefined) return { key: VERSION_KEY, problem: "missing" };
  if (typeof version !== "string") return { key: VERSION_KEY, problem: "expected a text" };
  if (!isRequest) return null;
  const capabilities = meta[CAPABILITIES_KEY];
  if (capabilities === undefined) return { key: CAPABILITIES_KEY, problem: "missing" };
  if (!isJsonObject(capabilities)) return { key: CAPABILITIES_KEY, problem: "expected an object" };
  const info = meta[INFO_KEY];
  if (info !== undefined && !isJsonObject(info)) {
    return { key: INFO_KEY, problem: "expected an object" };
  }
  return null;
}

function versionOf(params: JsonObject): string | null {
  const meta = params["_meta"];
  const version = isJsonObject(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === "string" ? version : null;
}

function nameMismatch(
  { method, params }: ModernMessage,
  header: string | null,
): { readonly header: string; readonly body: string } | null {
  const field = NAMED_BY.get(method);
  if (field === undefined) return null;
  const named = params[field];
  if (header === null) {
    if (typeof named !== "string") return null;
    return {
      header: "(missing)",
      body: `params.${field} is ${shown(named)}, Mcp-Name is required`,
    };
  }
  const decoded = decodedHeader(header);
  if (decoded === null) return { header, body: "Mcp-Name is not sound Base64" };
  if (typeof named !== "string" || decoded === named) return null;
  return { header, body: `params.${field} is ${shown(named)}` };
}

/** Base64 in its one right form: whole groups, padded, no unused bits. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The value of a header that may stand in `=?base64?…?=`, as text beyond ASCII does; `null` when what
 * stands there is no sound Base64 of UTF-8. Pure.
 */
export function decodedHeader(value: string): string | null {
  const inner = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (inner === undefined) return value;
  if (!BASE64.test(inner)) return null;
  try {
    const bytes = Uint8Array.from(atob(inner), (unit) => unit.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 128));
}
