import type { ServerView } from "../../model/server_view.ts";
import { VERSION } from "../../model/version.ts";

/** How a gateway stands. */
export interface HealthFacts {
  /** Whether it is ending, and takes no more requests. */
  readonly isDraining: boolean;
  /** The row of every server. */
  readonly servers: readonly ServerView[];
}

/**
 * What a supervisor is told. Everybody may ask, so that nothing has a name. Pure.
 * @param withCounts Whether it is told how many servers are in which state.
 */
export function healthText({ isDraining, servers }: HealthFacts, withCounts: boolean): string {
  const status = isDraining ? "draining" : "ok";
  if (!withCounts) return JSON.stringify({ status });
  const counts: Record<string, number> = {};
  for (const { state } of servers) counts[state] = (counts[state] ?? 0) + 1;
  return JSON.stringify({ status, version: VERSION, servers: counts });
}
