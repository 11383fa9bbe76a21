import type { Asker } from "../../model/forward.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** What a server may ask a host for, over a gateway as without one. */
const RELAYED: readonly string[] = ["roots", "sampling", "elicitation"];

/**
 * Extensions that change only what a server lists and answers, which goes through as it is. Any
 * other may bring methods and kinds of results that no table here routes, such as those of tasks:
 * a server that was told of it would wait for what never comes. `experimental` and `tasks` are cut
 * for the same reason.
 */
const RELAYED_EXTENSIONS: ReadonlySet<string> = new Set(["io.modelcontextprotocol/ui"]);

/** What servers are told of a host's capabilities: all that a gateway can relay. Pure. */
export function relayedCapabilities(capabilities: JsonObject): JsonObject {
  const relayed: Record<string, JsonValue> = {};
  for (const key of RELAYED) {
    const value = capabilities[key];
    if (isJsonObject(value)) relayed[key] = value;
  }
  const { extensions } = capabilities;
  if (!isJsonObject(extensions)) return relayed;
  const known = Object.entries(extensions).filter(([key]) => RELAYED_EXTENSIONS.has(key));
  return known.length === 0 ? relayed : { ...relayed, extensions: Object.fromEntries(known) };
}

/**
 * The same for servers of the legacy era behind a host of the modern one, which tells nobody of
 * changed roots: the gateway does, when it learns of them. Pure.
 */
export function bridgedCapabilities(capabilities: JsonObject): JsonObject {
  const relayed = relayedCapabilities(capabilities);
  const { roots } = relayed;
  return isJsonObject(roots) ? { ...relayed, roots: { ...roots, listChanged: true } } : relayed;
}

/** Who asks, as a server of the modern era is told. Pure. */
export function relayedAsker(asker: Asker): Asker {
  return { ...asker, capabilities: relayedCapabilities(asker.capabilities) };
}
