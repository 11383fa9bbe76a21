import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";

/** What every request of the modern era (2026-07-28) says of its sender, in `_meta`. */
export interface Envelope {
  /** Protocol revision that was agreed on. */
  readonly version: string;
  /** Who asks. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What the asker can do. */
  readonly capabilities: JsonObject;
  /** Least grave log lines that are wanted; none when absent. */
  readonly logLevel?: string | null;
}

/** Key under which a modern server names itself, in the `_meta` of its results. */
export const SERVER_INFO_KEY: string = "io.modelcontextprotocol/serverInfo";

/**
 * The params of a request with its progress token, and the envelope when there is one.
 * @param more Further fields of `_meta`.
 */
export function withMeta(
  params: JsonObject,
  token: string,
  envelope: Envelope | null,
  more: JsonObject = {},
): JsonObject {
  const given = params["_meta"];
  const meta: Record<string, JsonValue | undefined> = {
    ...(isJsonObject(given) ? given : {}),
    ...more,
    progressToken: token,
  };
  if (envelope !== null) {
    meta["io.modelcontextprotocol/protocolVersion"] = envelope.version;
    meta["io.modelcontextprotocol/clientInfo"] = { ...envelope.clientInfo };
    meta["io.modelcontextprotocol/clientCapabilities"] ??= envelope.capabilities;
    if (typeof envelope.logLevel === "string") {
      meta["io.modelcontextprotocol/logLevel"] ??= envelope.logLevel;
    }
  }
  return { ...params, _meta: meta };
}
