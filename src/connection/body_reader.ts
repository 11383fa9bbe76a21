import type { Timers } from "./timers.ts";

/** How long a body may give nothing at all, not even a comment. */
export interface Silence {
  /** Milliseconds after which it is let go and looks as if it had ended. */
  readonly ms: number;
  /** The clock. */
  readonly timers: Timers;
  /** Whether something is waited for that it may still bring; then it is kept. Default: never. */
  readonly isAwaited?: (() => boolean) | undefined;
}

/**
 * Reads the body of an answer, and lets go of its connection as soon as the signal fires. The abort
 * of a `fetch` alone does not do that everywhere: Deno 2.9 forgets it together with the `Response`,
 * and the socket would stay open for as long as the server likes.
 */
export class BodyReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal | null;
  readonly #silence: Silence | undefined;
  readonly #onAbort = (): void => {
    this.#reader.cancel(this.#signal?.reason).catch(() => {});
  };

  /** Takes the body over; nobody else may read it. */
  constructor(
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal | null | undefined,
    silence?: Silence,
  ) {
    this.#reader = body.getReader();
    this.#signal = signal ?? null;
    this.#silence = silence;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The next bytes; `null` at the end. @throws The signal's reason, or why the body broke. */
  async read(): Promise<Uint8Array | null> {
    const stop = this.#watchSilence();
    try {
      const { done, value } = await this.#reader.read();
      // A body that was let go looks as if it had ended.
      this.#signal?.throwIfAborted();
      if (!done) return value;
    } catch (error) {
      this.#detach();
      throw error;
    } finally {
      stop();
    }
    this.#detach();
    return null;
  }

  /** Lets go of the rest. Never rejects. */
  async cancel(reason?: unknown): Promise<void> {
    this.#detach();
    await this.#reader.cancel(reason).catch(() => {});
  }

  /** Lets go of the body when it is silent for too long; gives what stops that. */
  #watchSilence(): () => void {
    const silence = this.#silence;
    if (silence === undefined) return () => {};
    const { ms, timers, isAwaited } = silence;
    let stop = (): void => {};
    const watch = (): void => {
      stop = timers.after(ms, () => {
        if (isAwaited?.() === true) watch();
        else this.#reader.cancel().catch(() => {});
      });
    };
    watch();
    return () => stop();
  }

  #detach(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
