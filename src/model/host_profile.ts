import type { JsonObject } from "./json.ts";

/** What one kind of host agent does with the tools of a server that it is connected to. */
export interface HostProfile {
  /** Stable name of the kind, such as `claude-code`. */
  readonly id: string;
  /** Name for humans. */
  readonly label: string;
  /** Ids of the sources whose servers the host starts itself, so that they are not offered twice. */
  readonly loads: readonly string[];
  /** Whether it asks for the tools again when it is told that they have changed. */
  readonly refreshes: boolean;
  /**
   * When it asks again: `at-once`, so that its question proves the refresh, or `next-request`,
   * when it builds its model's next request. Of no meaning where it does not refresh.
   */
  readonly asksAgain: "at-once" | "next-request";
  /** Members of `_meta` that make the host show a tool to its model; `null` when it needs none. */
  readonly toolMeta: JsonObject | null;
  /** How tools are named: `mcp_<server>_<tool>`, or `<server>_<tool>` at most 48 characters long. */
  readonly naming: "prefixed" | "server";
}
