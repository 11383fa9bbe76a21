import type { ListKind } from "../model/listing.ts";
import type { HostRequest } from "./host_request.ts";

/** Milliseconds that a request for something unknown waits for servers that are still on their way. */
const UNKNOWN_MS = 10_000;

/**
 * Waits for servers that are on their way, until their lists of a kind are on offer: a host may ask
 * for what it remembers from another day. Never rejects.
 */
export async function lateServers(
  { gateway, session, offer }: HostRequest,
  kind: ListKind,
  signal: AbortSignal,
): Promise<void> {
  const waited = new AbortController();
  const over = AbortSignal.any([signal, waited.signal]);
  const arrived = session.settled({ signal: over }).then(() => offer.seen(over, kind));
  await Promise.race([arrived, gateway.clock.delay(UNKNOWN_MS, over)]);
  waited.abort();
}
