/** Streams in a row that end at once without an event, after which no further one is opened. */
const MOST_EMPTY_STREAMS = 6;

/** First wait after an empty stream, in milliseconds; it doubles with each further one. */
const FIRST_WAIT_MS = 500;

/** Longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 8_000;

/** Milliseconds after which a stream counts as having stood. */
const STABLE_MS = 10_000;

/**
 * Keeps a client from asking for ever for a stream that a server ends as soon as it is open. The
 * count goes back only after a stream that carried an event or stood for 10 seconds.
 */
export class StreamPacer {
  readonly #random: () => number;
  #empty = 0;

  /** `random` gives the jitter, from 0 to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Milliseconds to wait before the next stream; `null` when none should be opened any more. */
  nextWait(): number | null {
    if (this.#empty >= MOST_EMPTY_STREAMS) return null;
    if (this.#empty === 0) return 0;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#empty - 1));
    return wait * (0.75 + this.#random() / 4);
  }

  /** Takes how long a stream stood, in milliseconds, and how many events it carried. */
  streamEnded(lifeMs: number, events: number): void {
    this.#empty = events > 0 || lifeMs >= STABLE_MS ? 0 : this.#empty + 1;
  }
}
