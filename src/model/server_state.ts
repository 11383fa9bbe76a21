import type { PlanState } from "./plan.ts";

/** What a row shows; the first that holds, in this order. */
export type ServerState =
  | PlanState
  | "paused"
  | "needs-auth"
  | "connecting"
  | "connected"
  | "retrying"
  | "disconnected";

/** The coarse state that a host asks for by name. */
export type ConnectionStatus = "connected" | "connecting" | "disconnected";

/** The coarse state behind a row's state. */
export function connectionStatus(state: ServerState): ConnectionStatus {
  if (state === "connected") return "connected";
  return state === "connecting" || state === "retrying" ? "connecting" : "disconnected";
}
