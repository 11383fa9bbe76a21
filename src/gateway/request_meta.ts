import type { FrameId } from "../connection/frames.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { type LoggingLevel, loggingLevel } from "../model/log_message.ts";
import { CHAIN_KEY, readSessionIds } from "../model/session_chain.ts";

/** What the keys of the protocol itself begin with, in `_meta`. */
const OWN_KEYS = "io.modelcontextprotocol/";

/** What a request says about itself, in `_meta`. */
export interface RequestMeta {
  /** Revision that a request of the modern era names; `null` for one of the legacy era. */
  readonly version: string | null;
  /** Under which token its progress is to be told; `null` when the host wants none. */
  readonly progressToken: FrameId | null;
  /** Who asks, in the modern era. */
  readonly clientInfo: JsonObject | null;
  /** What the host can do, in the modern era. */
  readonly capabilities: JsonObject | null;
  /** Least grave log lines that it wants, in the modern era; `null` for none. */
  readonly logLevel: LoggingLevel | null;
  /** Ids of the sessions around the host, when it is one itself. */
  readonly chain: readonly string[];
  /** What is for the server behind the gateway, such as a trace context. */
  readonly forwarded: JsonObject;
}

const NOTHING: RequestMeta = {
  version: null,
  progressToken: null,
  clientInfo: null,
  capabilities: null,
  logLevel: null,
  chain: [],
  forwarded: {},
};

/** Reads `_meta` of a request's parameters. What has the wrong type counts as absent. Pure. */
export function requestMeta(params: JsonObject): RequestMeta {
  const meta = params["_meta"];
  if (!isJsonObject(meta)) return NOTHING;
  const version = meta[`${OWN_KEYS}protocolVersion`];
  const token = meta["progressToken"];
  const clientInfo = meta[`${OWN_KEYS}clientInfo`];
  const capabilities = meta[`${OWN_KEYS}clientCapabilities`];
  return {
    version: typeof version === "string" ? version : null,
    progressToken: typeof token === "string" || typeof token === "number" ? token : null,
    clientInfo: isJsonObject(clientInfo) ? clientInfo : null,
    capabilities: isJsonObject(capabilities) ? capabilities : null,
    logLevel: loggingLevel(meta[`${OWN_KEYS}logLevel`]),
    chain: readSessionIds(meta[CHAIN_KEY]),
    forwarded: forwardedMeta(meta),
  };
}

function forwardedMeta(meta: JsonObject): JsonObject {
  const entries = Object.entries(meta).filter(([key]) =>
    key !== "progressToken" && key !== CHAIN_KEY && !key.startsWith(OWN_KEYS)
  );
  return entries.length === 0 ? {} : Object.fromEntries(entries);
}
