import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Asker } from "../model/forward.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { CHAIN_KEY } from "../model/session_chain.ts";

/** What every request of the modern era (2026-07-28) says of its sender, in `_meta`. */
export interface Envelope {
  /** Protocol revision that was agreed on. */
  readonly version: string;
  /** Who asks. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What the asker can do. */
  readonly capabilities: JsonObject;
  /** Ids of the sessions around the server, the own one last. Default: none. */
  readonly chain?: readonly string[];
  /** Least grave log lines that are wanted; none when absent. */
  readonly logLevel?: string | null;
}

/** Key under which a modern server names itself, in the `_meta` of its results. */
export const SERVER_INFO_KEY: string = "io.modelcontextprotocol/serverInfo";

/** What the keys begin with that the protocol keeps for itself. */
const OWN_KEYS = "io.modelcontextprotocol/";

/** Fields of `_meta` that say of a request who sends it, and of this sending alone. */
const OF_SENDER: ReadonlySet<string> = new Set([
  "progressToken",
  `${OWN_KEYS}protocolVersion`,
  `${OWN_KEYS}clientInfo`,
  `${OWN_KEYS}clientCapabilities`,
  `${OWN_KEYS}logLevel`,
  CHAIN_KEY,
]);

/** Fields of `_meta` without those of whoever sent them before. */
export function withoutSender(meta: JsonObject): JsonObject {
  if (!Object.keys(meta).some((key) => OF_SENDER.has(key))) return meta;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !OF_SENDER.has(key)));
}

/** What a request's `_meta` says beyond its params. */
export interface MetaOptions {
  /** What every request of the connection says; `null` in the legacy era. */
  readonly envelope: Envelope | null;
  /** Further fields. */
  readonly meta?: JsonObject | undefined;
  /** Who asks in the place of the connection. */
  readonly asker?: Asker | null | undefined;
}

/** The params of a request with its progress token, and the envelope when there is one. */
export function withMeta(
  params: JsonObject,
  token: string,
  { envelope, meta: more, asker }: MetaOptions,
): JsonObject {
  const given = params["_meta"];
  const meta: Record<string, JsonValue | undefined> = {
    ...(isJsonObject(given) ? given : {}),
    ...more,
    progressToken: token,
  };
  if (envelope !== null) {
    meta[`${OWN_KEYS}protocolVersion`] = envelope.version;
    meta[`${OWN_KEYS}clientInfo`] = asker?.clientInfo ?? { ...envelope.clientInfo };
    meta[`${OWN_KEYS}clientCapabilities`] ??= asker?.capabilities ?? envelope.capabilities;
    if (envelope.chain !== undefined && envelope.chain.length > 0) {
      meta[CHAIN_KEY] = envelope.chain;
    }
    const logLevel = asker ? asker.logLevel : envelope.logLevel;
    if (typeof logLevel === "string") meta[`${OWN_KEYS}logLevel`] ??= logLevel;
  }
  return { ...params, _meta: meta };
}

/** Requests of the SDK by which a conversation begins, or that may open what is behind a gateway. */
const TELLING: ReadonlySet<string> = new Set([
  "initialize",
  "server/discover",
  "subscriptions/listen",
]);

/** A message of the SDK, which tells the sessions around the server where one may need to know. */
export function withChain(message: JSONRPCMessage, chain: readonly string[]): JSONRPCMessage {
  if (chain.length === 0 || !("method" in message) || !TELLING.has(message.method)) return message;
  const { params = {} } = message;
  return {
    ...message,
    params: { ...params, _meta: { ...params["_meta"], [CHAIN_KEY]: chain } },
  } as JSONRPCMessage;
}
