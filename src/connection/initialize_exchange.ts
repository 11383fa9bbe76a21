import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ServerIdentity } from "../model/listing.ts";
import { SERVER_INFO_KEY } from "./envelope.ts";
import { type FrameError, readFrameError } from "./frames.ts";

/** Legacy revisions that the SDK takes in an answer to `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** First revision of the modern era, which has no `initialize`. */
const FIRST_MODERN = "2026-07-28";

/** What the SDK is told where a server speaks a revision that it would refuse. */
const STAND_IN = "2025-11-25";

/**
 * Watches the handshake that the SDK makes: keeps what the server said as received, and gives
 * the SDK a form of it that its schemas take, so that an odd field or an unknown version does not
 * cost the server.
 */
export class InitializeExchange {
  readonly #offer: string | null;
  #offered = STAND_IN;
  #result: JsonObject | null = null;
  #error: FrameError | null = null;
  #version: string | null = null;

  /** `offer` is the revision to ask for in place of the SDK's; `null` for the SDK's. */
  constructor(offer: string | null) {
    this.#offer = offer;
  }

  /** The result of `initialize` or `server/discover`, as received; `null` before it came. */
  get result(): JsonObject | null {
    return this.#result;
  }

  /** The error that `initialize` was answered with; `null` when it was not. */
  get error(): FrameError | null {
    return this.#error;
  }

  /** The revision that `initialize` asked for. */
  get offered(): string {
    return this.#offered;
  }

  /** The server's own version in the place of the one that the SDK was told. */
  versionSpoken(version: string): string {
    return this.#version ?? version;
  }

  /** What the server said that is worth a warning; one sentence, or `null`. */
  warning(): string | null {
    if (this.#version === null || LEGACY_VERSIONS.includes(this.#version)) return null;
    return `The server speaks the unknown protocol version "${this.#version}"; going on as ${STAND_IN}`;
  }

  /** A message of the SDK as it goes out. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || message.method !== "initialize") return message;
    this.#result = null;
    this.#error = null;
    const params = message.params ?? {};
    const { protocolVersion } = params as { readonly protocolVersion?: unknown };
    this.#offered = this.#offer ?? (typeof protocolVersion === "string" ? protocolVersion : "");
    if (this.#offer === null) return message;
    return { ...message, params: { ...params, protocolVersion: this.#offer } };
  }

  /** An answer to the SDK's request of `method`, as the SDK gets it. */
  incoming(method: string, message: JSONRPCMessage): JSONRPCMessage {
    if (method !== "initialize" && method !== "server/discover") return message;
    if ("error" in message) {
      if (method === "initialize") this.#error = readFrameError(message.error);
      return message;
    }
    const { result } = message as { readonly result?: unknown };
    if (!isJsonObject(result)) return message;
    if (method === "initialize") {
      this.#result = result;
      return { ...message, result: this.#sound(result) } as JSONRPCMessage;
    }
    if (Array.isArray(result["supportedVersions"])) this.#result = result;
    return message;
  }

  #sound(result: JsonObject): JsonObject {
    const version = result["protocolVersion"];
    this.#version = typeof version === "string" ? version : null;
    const { name, version: serverVersion } = serverIdentity(result);
    const { instructions } = result;
    return {
      protocolVersion: typeof version === "string" && LEGACY_VERSIONS.includes(version)
        ? version
        : STAND_IN,
      capabilities: soundCapabilities(serverCapabilities(result)),
      serverInfo: { name, version: serverVersion },
      ...(typeof instructions === "string" ? { instructions } : {}),
    };
  }
}

/** What the server calls itself, in either era. */
export function serverIdentity(result: JsonObject): ServerIdentity {
  const meta = result["_meta"];
  const info = [result["serverInfo"], isJsonObject(meta) ? meta[SERVER_INFO_KEY] : null]
    .find(isJsonObject);
  const name = info?.["name"];
  const version = info?.["version"];
  return {
    name: typeof name === "string" ? name : "",
    version: typeof version === "string" ? version : "",
  };
}

/** What the server declares, as received; empty when it declares nothing readable. */
export function serverCapabilities(result: JsonObject): JsonObject {
  const capabilities = result["capabilities"];
  return isJsonObject(capabilities) ? capabilities : {};
}

/**
 * Legacy revisions that an error answer to `initialize` names as supported, newest first, without
 * the one that was refused.
 */
export function supportedLegacyVersions(error: FrameError, refused: string): string[] {
  const { data } = error;
  const listed: JsonValue[] = [];
  if (isJsonObject(data)) {
    for (const key of ["supported", "supportedVersions", "supportedProtocolVersions"]) {
      const value = data[key];
      if (Array.isArray(value)) listed.push(...value as JsonValue[]);
    }
  }
  const named = listed.length > 0
    ? listed.filter((version) => typeof version === "string")
    : /version/i.test(error.message)
    ? error.message.match(/\b20\d\d-\d\d-\d\d\b/g) ?? []
    : [];
  return [...new Set(named)]
    .filter((version) => version < FIRST_MODERN && version !== refused)
    .sort().reverse();
}

function soundCapabilities(declared: JsonObject): JsonObject {
  const sound: Record<string, JsonValue> = {};
  for (const key of ["tools", "resources", "prompts", "logging", "completions"]) {
    const value = declared[key];
    if (value === undefined || value === null || value === false) continue;
    const flags: Record<string, JsonValue> = {};
    if (isJsonObject(value)) {
      for (const flag of ["listChanged", "subscribe"]) {
        if (typeof value[flag] === "boolean") flags[flag] = value[flag];
      }
    }
    sound[key] = flags;
  }
  return sound;
}
