import { abortedError } from "../model/abort.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Progress, RequestOptions } from "../model/tool.ts";
import type { Timers } from "./timers.ts";

/** How long progress, or a question to the host, can keep a call alive: 10 minutes, in milliseconds. */
export const LONGEST_CALL: number = 600_000;

/** What one pending request waits with. */
export interface PendingOptions {
  /** Its method, for messages. */
  readonly method: string;
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  /** Its caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each progress notification. */
  readonly onProgress?: RequestOptions["onProgress"];
  /** Stands for it in what the server asks and tells because of it. */
  readonly call?: object | undefined;
  /** Gets the params of the log notifications that belong to it. */
  readonly onLog?: ((params: JsonObject) => void) | undefined;
  /** Whether it is kept how its result was written. */
  readonly keepsText?: boolean | undefined;
  /** Called when the request ends without an answer, by abort or time-out, to tell the server. */
  readonly onCancel: (reason: string) => void;
}

/** Methods because of which a server may ask its client for something. */
const MAY_ASK: ReadonlySet<string> = new Set([
  "tools/call",
  "resources/read",
  "prompts/get",
  "completion/complete",
]);

interface Pending extends PendingOptions {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: number;
  /** When its time is up, unless something happens before. */
  dueAt: number;
  /** Whether the server has only accepted it: the answer comes over another stream. */
  accepted: boolean;
  /** How many questions to the host are open that came while it waited. */
  held: number;
  readonly onAbort: () => void;
}

/**
 * Our own requests that wait for an answer. Each ends exactly once: by an answer, a failure, its
 * time-out or its caller's abort. Progress restarts its clock, up to the longer of its time-out
 * and {@linkcode LONGEST_CALL}.
 */
export class PendingRequests {
  readonly #server: string;
  readonly #timers: Timers;
  readonly #pending = new Map<string, Pending>();
  /** When the one timer for all fires: not after the first of them is due. */
  #timerAt = Infinity;
  #stopTimer = (): void => {};
  #idle: (() => void)[] = [];

  /** Makes an empty set; `server` names the server in messages. */
  constructor(server: string, timers: Timers) {
    this.#server = server;
    this.#timers = timers;
  }

  /** How many wait. */
  get size(): number {
    return this.#pending.size;
  }

  /** Ids of those that wait, oldest first. */
  ids(): string[] {
    return [...this.#pending.keys()];
  }

  /** Tells whether a request waits. */
  has(id: string): boolean {
    return this.#pending.has(id);
  }

  /** What a request waits with; `null` when it does not. */
  get(id: string): PendingOptions | null {
    return this.#pending.get(id) ?? null;
  }

  /** The only one that waits; `null` when none or several do. */
  only(): PendingOptions | null {
    const [first, second] = this.#pending.values();
    return second === undefined ? first ?? null : null;
  }

  /** The only one because of which the server may ask something; `null` for none or several. */
  onlyAsking(): PendingOptions | null {
    let found: Pending | null = null;
    for (const pending of this.#pending.values()) {
      if (pending.call === undefined && !MAY_ASK.has(pending.method)) continue;
      if (found !== null) return null;
      found = pending;
    }
    return found;
  }

  /** Settles when none waits any more; at once when none does. */
  idle(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Waits for the answer to the request `id`. The signal must not have fired yet. */
  add(id: string, options: PendingOptions): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#abort(id);
      const pending: Pending = {
        ...options,
        resolve,
        reject,
        deadline: this.#timers.now() + Math.max(options.timeout, LONGEST_CALL),
        dueAt: Infinity,
        accepted: false,
        held: 0,
        onAbort,
      };
      this.#pending.set(id, pending);
      this.#arm(pending, options.timeout);
      options.signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Ends a request with its answer; `false` when it does not wait (a late or second answer). */
  resolve(id: string, result: JsonObject): boolean {
    const pending = this.#take(id);
    pending?.resolve(result);
    return pending !== null;
  }

  /** Ends a request with a failure; `false` when it does not wait. */
  reject(id: string, error: Error): boolean {
    const pending = this.#take(id);
    pending?.reject(error);
    return pending !== null;
  }

  /** Ends all with the same failure. */
  rejectAll(error: Error): void {
    for (const id of this.ids()) this.reject(id, error);
  }

  /** Notes that the server has only accepted a request. */
  accept(id: string): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) pending.accepted = true;
  }

  /** Whether one waits that the server has only accepted. */
  get hasAccepted(): boolean {
    return [...this.#pending.values()].some(({ accepted }) => accepted);
  }

  /** Ends those that were only accepted with the same failure; gives their number. */
  rejectAccepted(error: Error): number {
    const accepted = [...this.#pending].filter(([, pending]) => pending.accepted);
    for (const [id] of accepted) this.reject(id, error);
    return accepted.length;
  }

  /** Takes a progress report and its params; `false` when no such request waits. */
  progress(id: string, progress: Progress, raw: JsonObject): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#restart(pending);
    try {
      pending.onProgress?.(progress, raw);
    } catch {
      // A throwing listener must not disturb the connection.
    }
    return true;
  }

  /**
   * Notes that the server waits for an answer of the host, and with it those requests that wait now:
   * which of them it belongs to cannot be told everywhere. Their clocks stand, up to the time that
   * progress could keep them alive. Gives what lets them go on, from the start.
   */
  hold(): () => void {
    const held = [...this.#pending];
    const shift = (by: 1 | -1): void => {
      for (const [id, pending] of held) {
        pending.held += by;
        if (this.#pending.get(id) === pending) this.#restart(pending);
      }
    };
    shift(1);
    return () => shift(-1);
  }

  /** Starts a request's clock anew. */
  #restart(pending: Pending): void {
    const left = Math.max(0, pending.deadline - this.#timers.now());
    this.#arm(pending, pending.held > 0 ? left : Math.min(pending.timeout, left));
  }

  /** Sets when a request is due. A timer of its own for each would cost as much as all the rest. */
  #arm(pending: Pending, ms: number): void {
    pending.dueAt = this.#timers.now() + ms;
    if (pending.dueAt < this.#timerAt) this.#wakeAt(pending.dueAt);
  }

  #wakeAt(at: number): void {
    this.#stopTimer();
    this.#timerAt = at;
    this.#stopTimer = this.#timers.after(Math.max(0, at - this.#timers.now()), () => this.#look());
  }

  #sleep(): void {
    this.#stopTimer();
    this.#timerAt = Infinity;
  }

  /** Ends those that are due, and sleeps until the next one is. */
  #look(): void {
    this.#timerAt = Infinity;
    const now = this.#timers.now();
    let next = Infinity;
    for (const [id, pending] of this.#pending) {
      if (pending.dueAt <= now) this.#timeOut(id, pending);
      else next = Math.min(next, pending.dueAt);
    }
    if (next < this.#timerAt) this.#wakeAt(next);
  }

  #timeOut(id: string, pending: Pending): void {
    this.#take(id);
    const seconds = Math.round(pending.timeout / 100) / 10;
    const total = this.#timers.now() >= pending.deadline;
    pending.onCancel("Request timed out");
    pending.reject(
      new HotplugError(
        "request-timeout",
        total
          ? `Cannot finish "${pending.method}" on "${this.#server}": still in progress after the longest time allowed`
          : `Cannot finish "${pending.method}" on "${this.#server}": no answer within ${seconds} s`,
        { hint: "A longer time can be set as callTimeout (milliseconds) of the server" },
      ),
    );
  }

  #abort(id: string): void {
    const pending = this.#take(id);
    if (pending === null) return;
    pending.onCancel("Request aborted");
    pending.reject(abortedError(pending.signal));
  }

  #take(id: string): Pending | null {
    const pending = this.#pending.get(id);
    if (pending === undefined) return null;
    this.#pending.delete(id);
    pending.signal?.removeEventListener("abort", pending.onAbort);
    if (this.#pending.size === 0) {
      this.#sleep();
      for (const resolve of this.#idle.splice(0)) resolve();
    }
    return pending;
  }
}
