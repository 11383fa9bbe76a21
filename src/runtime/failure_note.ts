import { transportKind } from "../model/run_candidate.ts";
import type { HotplugError } from "../model/errors.ts";
import type { FailureHistory } from "./failure_history.ts";
import type { LifeEvent, LifeState } from "./life_cycle.ts";
import type { LifeParts } from "./life_parts.ts";
import type { ServerRow } from "./server_row.ts";
import type { StartInput } from "./server_start.ts";

/** Where a server stood when it failed. */
export interface FailedFrom {
  /** Its name. */
  readonly name: string;
  /** What it was started with. */
  readonly input: StartInput | null;
  /** Its state until then. */
  readonly state: LifeState;
  /** Whether nobody waits for the attempt any more, so that nobody else hears of its failure. */
  readonly isLate: boolean;
}

/** What a failure leads to. */
export interface FailureNote {
  /** What has happened, in the words of the life-cycle table. */
  readonly event: LifeEvent;
  /** Milliseconds until the next attempt; `null` when there is none by itself. */
  readonly wait: number | null;
  /** What becomes of the row. */
  readonly row: Partial<ServerRow>;
}

/** Counts a failed attempt or a lost connection, writes it down, and says what it leads to. */
export function noteFailure(
  from: FailedFrom,
  error: HotplugError,
  history: FailureHistory,
  { context, registries: { rows } }: LifeParts,
): FailureNote {
  const { name, input, state, isLate } = from;
  const isLoss = state === "connected";
  const kind = input === null ? "stdio" : transportKind(input.config);
  const { event, wait } = history.failed(error.code, kind, context.clock.ticks());
  if (isLoss || isLate) {
    const message = isLoss ? "Connection lost" : "Server failed";
    context.log.log(wait === null ? "error" : "warn", message, {
      server: name,
      error: error.message,
      ...(wait === null ? {} : { nextAttemptInMs: wait }),
    });
  }
  const startedAt = rows.get(name)?.startedAt;
  const now = context.clock.now();
  return {
    event,
    wait,
    row: {
      error: error.toInfo(),
      nextAttemptAt: wait === null ? null : now + wait,
      ...(isLoss || startedAt === undefined ? {} : { elapsedMs: Math.max(0, now - startedAt) }),
    },
  };
}
