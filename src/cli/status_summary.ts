import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { StatusSummary } from "./documents.ts";
import type { TokenCosts } from "./token_costs.ts";

/** Under which count of the summary a state falls. */
const KIND: Readonly<
  Record<ServerState, Exclude<keyof StatusSummary, "tools" | "tokens" | "lazyTokens">>
> = {
  "connected": "connected",
  "error": "failed",
  "missing": "failed",
  "connecting": "waiting",
  "retrying": "waiting",
  "needs-auth": "waiting",
  "needs-input": "waiting",
  "untrusted": "waiting",
  "disabled": "off",
  "filtered": "off",
  "blocked": "off",
  "duplicate": "off",
  "paused": "off",
  "disconnected": "waiting",
};

/**
 * Counts rows by what they mean for the user. A `disconnected` row would run and does not: it
 * failed when its connection was lost, and else waits to be started, as all do with `--cached`. It
 * is not `off`: that is what would not start.
 */
export function statusSummary(views: readonly ServerView[]): StatusSummary {
  const summary = { connected: 0, failed: 0, waiting: 0, off: 0, tools: 0 };
  for (const view of views) {
    summary[isLost(view) ? "failed" : KIND[view.state]] += 1;
    summary.tools += view.tools ?? 0;
  }
  return summary;
}

/** Whether a connection was there and was lost. */
function isLost({ state, error }: ServerView): boolean {
  return state === "disconnected" && error !== null;
}

/** What a row waits for, in words for one and for several. */
const WAITING_WORDS: readonly (readonly [ServerState, one: string, several: string])[] = [
  ["connecting", "still connecting", "still connecting"],
  ["retrying", "to be tried again", "to be tried again"],
  ["untrusted", "not approved", "not approved"],
  ["needs-auth", "needs authorisation", "need authorisation"],
  ["needs-input", "needs a value", "need a value"],
  ["disconnected", "not started", "not started"],
];

/**
 * The rows counted on one line, with what the waiting ones wait for: `3 connected, 1 failed,
 * 2 not approved, 42 tools`; with `--cached` `11 not started, 2 off, 42 tools`. Counts of 0 are left out, but for the tools.
 * With costs `, about 9000 tokens (600 with mcp serve --lazy)` follows.
 */
export function summaryLine(
  views: readonly ServerView[],
  costs: TokenCosts | null = null,
): string {
  const { connected, failed, off, tools } = statusSummary(views);
  const waiting = WAITING_WORDS.map(([state, one, several]): readonly [number, string] => {
    const count = views.filter((view) => view.state === state && !isLost(view)).length;
    return [count, count === 1 ? one : several];
  });
  const counts: readonly (readonly [number, string])[] = [
    [connected, "connected"],
    [failed, "failed"],
    ...waiting,
    [off, "off"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  parts.push(`${tools} ${tools === 1 ? "tool" : "tools"}`);
  if (costs !== null) {
    parts.push(`about ${costs.listed} tokens (${costs.lazy} with mcp serve --lazy)`);
  }
  return parts.join(", ");
}
