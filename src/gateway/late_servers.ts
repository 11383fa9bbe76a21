import type { HostRequest } from "./host_request.ts";

/** Milliseconds that a request for something unknown waits for servers that are still on their way. */
const UNKNOWN_MS = 10_000;

/**
 * Waits for servers that are on their way: a host may ask for what it remembers from another day.
 * Never rejects.
 */
export async function lateServers(
  { gateway, session }: HostRequest,
  signal: AbortSignal,
): Promise<void> {
  const waited = new AbortController();
  const over = AbortSignal.any([signal, waited.signal]);
  await Promise.race([session.settled({ signal: over }), gateway.clock.delay(UNKNOWN_MS, over)]);
  waited.abort();
}
