import type { Act } from "./acts.ts";

/** What a host does in the next callback of a kind, once. */
export interface Trap {
  readonly on: "onServer" | "onToolsChanged";
  readonly act: Act;
}
