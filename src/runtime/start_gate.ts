import { unlessAborted } from "../model/abort.ts";
import type { Clock } from "./clock.ts";

/** Milliseconds that a host's start waits for servers whose tools are known from the cache (O7). */
export const START_GATE_MS = 250;

/** What the gate needs to know of one server that is being started. */
export interface GatedStart {
  /** Settles when the server is connected and listed, or has failed. Never rejects. */
  readonly done: Promise<void>;
  /** Whether the cache knows its tools (or that it failed last time). Never rejects. */
  readonly known: Promise<boolean>;
}

/** How the gate is set. */
export interface GateOptions {
  /** Milliseconds to wait for all. */
  readonly gateMs: number;
  /** `wait`: after the gate, wait on for servers that the cache does not know; `late`: do not. */
  readonly onMissingCache: "wait" | "late";
  /** Time. */
  readonly clock: Clock;
  /** Ends the waiting at once. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until every start has settled or the gate time has passed; then, if so set, for the
 * starts that the cache knows nothing of. Never rejects: an abort only ends the waiting.
 */
export async function passGate(
  starts: readonly GatedStart[],
  options: GateOptions,
): Promise<void> {
  const ended = new AbortController();
  const signal = options.signal === undefined
    ? ended.signal
    : AbortSignal.any([ended.signal, options.signal]);
  const settled = Promise.all(starts.map((start) => start.done));
  try {
    await Promise.race([settled, options.clock.delay(options.gateMs, signal)]);
    if (signal.aborted || options.onMissingCache === "late") return;
    const unknown = starts.map(async (start) => {
      if (!(await start.known)) await start.done;
    });
    await unlessAborted(Promise.all(unknown), signal).catch(() => {});
  } finally {
    ended.abort();
  }
}
