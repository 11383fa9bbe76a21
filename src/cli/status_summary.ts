import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { StatusSummary } from "./documents.ts";

/** Under which count of the summary a state falls. */
const KIND: Readonly<Record<ServerState, Exclude<keyof StatusSummary, "tools">>> = {
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
  "disconnected": "off",
};

/** Counts rows by what they mean for the user. */
export function statusSummary(views: readonly ServerView[]): StatusSummary {
  const summary = { connected: 0, failed: 0, waiting: 0, off: 0, tools: 0 };
  for (const view of views) {
    summary[KIND[view.state]] += 1;
    summary.tools += view.tools ?? 0;
  }
  return summary;
}

/** The summary as a line: `3 connected, 1 failed, 42 tools`; counts of 0 are left out. */
export function summaryLine(summary: StatusSummary): string {
  const parts = (["connected", "failed", "waiting", "off"] as const)
    .filter((kind) => summary[kind] > 0)
    .map((kind) => `${summary[kind]} ${kind}`);
  return [...parts, `${summary.tools} ${summary.tools === 1 ? "tool" : "tools"}`].join(", ");
}
