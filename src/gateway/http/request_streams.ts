import { KeptStream } from "./kept_stream.ts";
import type { HttpLimits } from "./limits.ts";
import type { LostStreams } from "./lost_streams.ts";

/** The streams of a session's requests, by their id, as long as somebody may come back for them. */
export class RequestStreams {
  readonly #limits: HttpLimits;
  readonly #lost: LostStreams;
  readonly #streams = new Map<string, { readonly stream: KeptStream; ticks: number }>();
  #count = 0;

  /** There is none. */
  constructor(limits: HttpLimits, lost: LostStreams) {
    this.#limits = limits;
    this.#lost = lost;
  }

  /** A new one, to which nobody is connected. */
  open(): KeptStream {
    const stream: KeptStream = new KeptStream(
      String(++this.#count),
      this.#limits,
      () => this.#changed(stream),
    );
    this.#streams.set(stream.id, { stream, ticks: 0 });
    return stream;
  }

  /** The one of an id, for somebody who connects to it at once; `null` when it is not there. */
  find(id: string): KeptStream | null {
    const stream = this.#streams.get(id)?.stream ?? null;
    if (stream !== null) this.#lost.delete(stream);
    return stream;
  }

  /** Ends one: nothing more comes. */
  end(stream: KeptStream): void {
    stream.end();
    this.#changed(stream);
  }

  /** Gives each a sign of life, and forgets what nobody came back for. */
  alive(): void {
    const { keptMs, aliveMs } = this.#limits;
    for (const entry of this.#streams.values()) {
      const { stream } = entry;
      stream.alive();
      const isUsed = !stream.isEnded || stream.isConnected;
      entry.ticks = isUsed ? 0 : entry.ticks + 1;
      if (entry.ticks * aliveMs > keptMs) this.#forget(stream);
    }
  }

  /** Ends all, and keeps nothing. */
  close(): void {
    for (const { stream } of this.#streams.values()) {
      this.#forget(stream);
      stream.end();
    }
  }

  #changed(stream: KeptStream): void {
    if (stream.isOver) this.#forget(stream);
    else if (stream.isEnded && !stream.isConnected && this.#streams.has(stream.id)) {
      this.#lost.add(stream, () => this.#forget(stream));
    }
  }

  #forget(stream: KeptStream): void {
    this.#streams.delete(stream.id);
    this.#lost.delete(stream);
  }
}
