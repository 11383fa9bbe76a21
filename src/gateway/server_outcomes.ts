import type { JsonObject } from "../model/json.ts";
import type { ServerView } from "../model/server_view.ts";

/** Key of `_meta` of a list, under which stands what became of each server. */
export const SERVERS_KEY = "dev.hotplug/servers";

/**
 * What became of each server, by name: its state, how many tools it gives, and why it gives none.
 * Pure.
 */
export function serverOutcomes(servers: readonly ServerView[]): JsonObject {
  return Object.fromEntries(servers.map((view) => [view.name, serverOutcome(view)]));
}

/** What became of one server. Pure. */
export function serverOutcome({ state, tools, cachedAgeMs, error }: ServerView): JsonObject {
  return {
    state,
    tools,
    ...(cachedAgeMs === null ? {} : { cachedAgeMs }),
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint },
  };
}
