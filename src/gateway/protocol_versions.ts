import { withMember } from "../connection/result_text.ts";
import type { JsonObject } from "../model/json.ts";
import { VERSION } from "../model/version.ts";
import { type Answer, refused, UNSUPPORTED_VERSION } from "./rpc.ts";

/** Legacy revisions that a host may speak, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** Revisions of the modern era that a host may speak, newest first. */
export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];

/** Key of `_meta` by which a notification of the modern era names the stream that it belongs to. */
export const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** How the gateway calls itself. */
export const SERVER_INFO: JsonObject = { name: "hotplug", title: "Hotplug", version: VERSION };

/**
 * The revision that `initialize` is answered with: the asked one when it is spoken here, else the
 * newest of that era, and the host decides whether it goes on. Pure.
 */
export function negotiatedVersion(asked: unknown): string {
  const [newest = ""] = LEGACY_VERSIONS;
  return typeof asked === "string" && LEGACY_VERSIONS.includes(asked) ? asked : newest;
}

/** The refusal of a request of the modern era whose revision is not spoken here; else `null`. */
export function versionRefusal(version: string | null): Answer | null {
  if (version === null || MODERN_VERSIONS.includes(version)) return null;
  const requested = version.slice(0, 100);
  return refused(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, {
    supported: [...MODERN_VERSIONS],
    requested,
  });
}

/** A result as the modern era wants it: complete, and with the gateway's name unless it has one. */
export function modernResult(result: JsonObject): JsonObject {
  return result["resultType"] === undefined ? withMember(result, "resultType", "complete") : result;
}

/**
 * A list or another answer of the gateway's own, in the form of the modern era: not to be kept, as
 * it may differ the next moment.
 */
export function modernOwnResult(result: JsonObject, meta: JsonObject = {}): JsonObject {
  return {
    ...result,
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { ...meta, "io.modelcontextprotocol/serverInfo": SERVER_INFO },
  };
}
