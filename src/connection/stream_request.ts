import { delay, type Timers } from "./timers.ts";

/**
 * Milliseconds without a single byte, comments included, after which a stream of news counts as
 * dead and is opened anew: a proxy or a router that forgot its connection tells nobody.
 */
export const LONGEST_SILENCE_MS = 300_000;

/** First wait before a stream that was refused for the moment is asked for again; it doubles. */
const FIRST_WAIT_MS = 1_000;

/** Longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** Statuses other than a server's failure that say no more than "not now". */
const NOT_NOW: ReadonlySet<number> = new Set([409, 429]);

/** What is sent when the common stream is asked for. */
export type SendRequest = (init: RequestInit) => Promise<Response>;

/**
 * Asks for the common stream. Once a server has given one, a refusal that may pass is waited out:
 * it takes a while until a server notices that the last stream is dead, and many give but one.
 */
export class StreamRequest {
  readonly #timers: Timers;
  #hasStood = false;
  #wasSilent = false;

  /** No stream has been open yet. */
  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /**
   * Asks until there is an answer to work with.
   * @throws What `send` throws, and the reason of `init.signal`.
   */
  async ask(send: SendRequest, init: RequestInit): Promise<Response> {
    for (let wait = FIRST_WAIT_MS;; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const response = await this.#answered(send, init);
      if (response !== null && !this.#mayPass(response.status)) return response;
      await response?.body?.cancel();
      await delay(this.#timers, wait, init.signal);
    }
  }

  /** Notes that a stream is open; tells whether news may have been missed before. */
  opened(): boolean {
    const missed = this.#hasStood || this.#wasSilent;
    this.#hasStood = true;
    return missed;
  }

  #mayPass(status: number): boolean {
    if (!this.#hasStood && !this.#wasSilent) return false;
    return NOT_NOW.has(status) || (status >= 500 && status !== 501);
  }

  /** The head of an answer; `null` when there was none for too long. */
  async #answered(send: SendRequest, init: RequestInit): Promise<Response | null> {
    const silence = new AbortController();
    const stop = this.#timers.after(LONGEST_SILENCE_MS, () => silence.abort());
    const signals = [silence.signal, ...(init.signal ? [init.signal] : [])];
    try {
      return await send({ ...init, signal: AbortSignal.any(signals) });
    } catch (thrown) {
      if (!silence.signal.aborted || init.signal?.aborted === true) throw thrown;
      this.#wasSilent = true;
      return null;
    } finally {
      stop();
    }
  }
}
