import type { ServerConfig } from "../model/definition.ts";

/** Milliseconds for start and handshake when a definition does not say. */
const STARTUP_MS = 30_000;
/** Milliseconds for one call without progress when a definition does not say. */
const CALL_MS = 60_000;
/** The longest delay that timers of all runtimes keep: 2^31 - 1 ms, nearly 25 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Milliseconds that progress can stretch one call to, unless its own limit is longer: ten minutes,
 * after which even a server that reports progress is taken for stuck.
 */
export const MAX_CALL_MS = 600_000;

/** Milliseconds that a server has for start and handshake. Default 30,000. */
export function startupTimeout(config: ServerConfig): number {
  return usable(config.startupTimeout, STARTUP_MS);
}

/** Milliseconds that a server has for one call without progress. Default 60,000. */
export function callTimeout(config: ServerConfig): number {
  return usable(config.callTimeout, CALL_MS);
}

function usable(given: number | undefined, otherwise: number): number {
  if (given === undefined || !(given > 0)) return otherwise;
  return Math.min(Math.ceil(given), LONGEST_TIMER_MS);
}
