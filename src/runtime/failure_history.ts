import type { ErrorCode } from "../model/errors.ts";
import { failureKind, nextAttemptIn, STABLE_MS } from "./reconnect_policy.ts";
import type { LifeEvent } from "./life_cycle.ts";

/** Starts that are remembered: more than the crash brake counts. */
const MOST_STARTS = 16;

/** What a failure leads to. */
export interface FailureVerdict {
  /** What happened, in the words of the life-cycle table. */
  readonly event: LifeEvent;
  /** Milliseconds until the next attempt; `null` when there is none by itself. */
  readonly wait: number | null;
}

/** What went wrong with one server so far, and what the next failure therefore means. */
export class FailureHistory {
  readonly #autoReconnect: boolean;
  readonly #random: () => number;
  #attempts = 0;
  #inARow = 0;
  #starts: number[] = [];
  #openedAt: number | null = null;
  #wasConnected = false;

  /** Nothing has happened yet. */
  constructor(autoReconnect: boolean, random: () => number) {
    this.#autoReconnect = autoReconnect;
    this.#random = random;
  }

  /** Whether it has been connected since the last {@linkcode forget}. */
  get wasConnected(): boolean {
    return this.#wasConnected;
  }

  /** Notes that an attempt begins, and gives its number. `now` is of a clock that only goes forward. */
  started(now: number): number {
    this.#starts = [...this.#starts, now].slice(-MOST_STARTS);
    this.#openedAt = null;
    return ++this.#attempts;
  }

  /** Counts the attempts from one again. */
  countAnew(): void {
    this.#attempts = 0;
  }

  /** Notes that it is connected. */
  opened(now: number): void {
    this.#openedAt = now;
    this.#wasConnected = true;
  }

  /** Begins anew, as when a user asks for the server. */
  forget(): void {
    this.#inARow = 0;
    this.#starts = [];
    this.#wasConnected = false;
  }

  /** Notes a failed attempt or a lost connection, and says what it means. */
  failed(code: ErrorCode, transport: "stdio" | "remote", now: number): FailureVerdict {
    const kind = failureKind(code, this.#wasConnected);
    const wasOpen = this.#openedAt !== null;
    if (this.#openedAt !== null && now - this.#openedAt >= STABLE_MS) {
      this.#inARow = 0;
      this.#starts = [];
    }
    this.#openedAt = null;
    if (kind === "blocked" || kind === "needs-auth" || kind === "loop") {
      return { event: kind, wait: null };
    }
    if (kind === "definition" && !wasOpen) return { event: "refused", wait: null };
    if (!this.#autoReconnect) return { event: wasOpen ? "dropped" : "gave-up", wait: null };
    if (kind === "lasting" && !wasOpen) return { event: "gave-up", wait: null };
    this.#inARow++;
    const failures = { inARow: this.#inARow, starts: this.#starts, now };
    const wait = nextAttemptIn(transport, failures, this.#random);
    if (wait === null) return { event: "gave-up", wait };
    return { event: wasOpen ? "lost" : "failed", wait };
  }
}
