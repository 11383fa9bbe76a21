import type { ServerView } from "../model/server_view.ts";

/** Rows that stay as they are until somebody does something. */
const WAITING: ReadonlySet<ServerView["state"]> = new Set([
  "untrusted",
  "blocked",
  "error",
  "needs-input",
]);

/** What whoever starts a gateway should know before a host asks. */
export interface StartWarnings {
  /** Rows that nothing is started for until somebody does something. */
  readonly waiting: readonly ServerView[];
  /** Why nothing at all is on offer; `null` when something is, or may come. */
  readonly nothing: string | null;
}

/**
 * What is to be said of the servers of a gateway that has just read its files. Pure.
 * @param isPart Whether these are a part of its servers: hosts may have others of their own.
 */
export function startWarnings(servers: readonly ServerView[], isPart: boolean): StartWarnings {
  return {
    waiting: servers.filter(({ state }) => WAITING.has(state)),
    nothing: nothingOf(servers, isPart),
  };
}

function nothingOf(servers: readonly ServerView[], isPart: boolean): string | null {
  if (servers.length === 0) return "No server is declared here";
  // What each host has of its own is left out of what they share.
  const isOff = ({ state }: ServerView): boolean =>
    state === "disabled" || (state === "filtered" && !isPart);
  return servers.every(isOff) ? "Every server is left out or switched off" : null;
}
