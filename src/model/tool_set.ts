import type { Tool } from "./tool.ts";

/** The tools that a session offers at one time. */
export interface ToolSet {
  /**
   * Grows by one whenever a name, a description, a schema, a hint, an approval or the order differs;
   * the first is 1.
   */
  readonly generation: number;
  /** The tools, in the order of their servers. */
  readonly tools: readonly Tool[];
}

/** How one tool set differs from the one before: public names, each in one list at most. */
export interface ToolSetDiff {
  /** Names that were not there before. */
  readonly added: readonly string[];
  /** Names that are gone. */
  readonly removed: readonly string[];
  /** Names whose description, schema, hints or approval are others. */
  readonly changed: readonly string[];
}

/** What a host made of a refreshed tool set. */
export type RefreshOutcome =
  /** It has the new tools: its model's next request carries them. */
  | "refreshed"
  /** It was told, and takes them when it builds its next request, or does not say. */
  | "announced"
  /** It asks for the tools only once: a new session of it has the new ones. */
  | "ignored"
  /** It could not take them; it goes on with the old ones. */
  | "failed";
