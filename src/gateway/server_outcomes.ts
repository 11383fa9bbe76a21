import type { JsonObject } from "../model/json.ts";
import type { ListKind } from "../model/listing.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import { couldNotList } from "../runtime/further_lists.ts";

/** Key of `_meta` of a list, under which stands what became of each server. */
export const SERVERS_KEY = "dev.hotplug/servers";

/** States of servers that should give a list and have failed. */
const FAILED: ReadonlySet<ServerState> = new Set(["error", "missing", "retrying"]);

/** How many items of a list a server gives, by the name of the list; `null` when it is not known. */
export type Counts = (view: ServerView) => JsonObject;

const TOOLS: Counts = ({ tools }) => ({ tools });

/**
 * What became of each server, by name: its state, how many items of the list it gives, and why it
 * gives none. Pure.
 */
export function serverOutcomes(servers: readonly ServerView[], counts: Counts = TOOLS): JsonObject {
  return Object.fromEntries(servers.map((view) => [view.name, serverOutcome(view, counts)]));
}

/** What became of one server. Pure. */
export function serverOutcome(view: ServerView, counts: Counts = TOOLS): JsonObject {
  const { state, cachedAgeMs, error } = view;
  return {
    state,
    ...counts(view),
    ...(cachedAgeMs === null ? {} : { cachedAgeMs }),
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint },
  };
}

/**
 * Why a list is not whole, one text for each server that has failed. Those that wait for their user
 * have not, nor those that he has switched off. Pure.
 */
export function failedLists(servers: readonly ServerView[], kind: ListKind): readonly string[] {
  return servers.flatMap(({ name, state, error, warnings }) => {
    const isLost = state === "disconnected" && error !== null;
    if (FAILED.has(state) || isLost) {
      return [`${JSON.stringify(name)} has failed${error === null ? "" : `: ${error.message}`}`];
    }
    const isUnread = kind !== "tools" && couldNotList(warnings, kind);
    return isUnread ? [`${JSON.stringify(name)} did not give the list`] : [];
  });
}
