import type { ErrorCode } from "../model/errors.ts";

/** Milliseconds before each further attempt after a loss or a failure. */
const DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];

/** Milliseconds between the attempts at a remote server after those: it may come back any time. */
const REMOTE_MS = 60_000;

/** Starts within {@linkcode BRAKE_MS} after which a process is not started by itself any more. */
const BRAKE_STARTS = 8;

/** Milliseconds that the crash brake looks back. */
const BRAKE_MS = 30_000;

/** Milliseconds that a connection must stand before what went wrong earlier is forgotten. */
export const STABLE_MS = 30_000;

/** What failed so far, as the policy sees it. */
export interface Failures {
  /** Losses and failed attempts in a row, the newest included; from 1. */
  readonly inARow: number;
  /** When it was started last, each time, on a clock that only goes forward. */
  readonly starts: readonly number[];
  /** The time now, on the same clock. */
  readonly now: number;
}

/**
 * Milliseconds until the next attempt by itself; `null` when there is none. A process that keeps
 * ending would only burn the machine, while a remote server costs nothing to ask for.
 *
 * @param random From 0 to 1: the waits are spread by a quarter each way, so that many servers of
 * one host, or many hosts of one server, do not come back in the same moment.
 */
export function nextAttemptIn(
  transport: "stdio" | "remote",
  { inARow, starts, now }: Failures,
  random: () => number,
): number | null {
  const recent = starts.filter((at) => now - at < BRAKE_MS).length;
  if (transport === "stdio" && recent >= BRAKE_STARTS) return null;
  const base = DELAYS_MS[inARow - 1] ?? (transport === "remote" ? REMOTE_MS : null);
  return base === null ? null : Math.round(base * (0.75 + random() / 2));
}

/** What a failed attempt says about the next one. */
export type FailureKind =
  | "passing"
  | "lasting"
  | "definition"
  | "needs-auth"
  | "blocked"
  | "loop";

/** Failures of what is declared: nothing was started, and nothing changes by trying again. */
const OF_DEFINITION: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "config-invalid",
  "command-failed",
  "missing-variable",
  "server-not-runnable",
]);

/** Failures that the next attempt would most likely meet again. */
const LASTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "handshake-failed",
  "hook-failed",
  "message-too-large",
  "program-not-found",
  "unauthorized",
]);

/**
 * Tells what a failure means for the next attempt.
 *
 * @param wasConnected Whether the server has been connected as it is declared now: a program that
 * ends at its very first start is set up wrongly, one that worked before has crashed.
 */
export function failureKind(code: ErrorCode, wasConnected: boolean): FailureKind {
  if (code === "blocked-by-policy" || code === "blocked-by-hook") return "blocked";
  if (code === "needs-auth") return "needs-auth";
  if (code === "gateway-loop") return "loop";
  if (OF_DEFINITION.has(code)) return "definition";
  if (code === "server-exited") return wasConnected ? "passing" : "lasting";
  return LASTING.has(code) && !wasConnected ? "lasting" : "passing";
}
