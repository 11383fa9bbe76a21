import type { RuntimeParts } from "./runtime_parts.ts";

/** What the lives of all servers share. */
export interface LifeParts extends RuntimeParts {
  /** Whether what drops or fails is tried again by itself. */
  readonly autoReconnect: boolean;
  /** Spreads the waits between attempts, from 0 to 1. */
  readonly random: () => number;
  /** Counts an attempt or the reading of lists as going on until it is done. */
  readonly reading: (work: Promise<void>) => void;
  /** Counts the writing of the cache as going on until it is done. */
  readonly writing: (work: Promise<void>) => void;
}
