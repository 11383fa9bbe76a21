import type { KeptStream } from "./kept_stream.ts";

/**
 * The streams of one principal that have ended before their client had all: kept for it to come back
 * for, as long as they are not too long together. The oldest is given up first, the newest never.
 */
export class LostStreams {
  readonly #mostCharacters: number;
  readonly #streams = new Map<KeptStream, () => void>();

  /** None is lost. */
  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  /**
   * Adds a stream.
   * @param onGivenUp Called once, when it is kept no longer because of newer ones. Must not throw.
   */
  add(stream: KeptStream, onGivenUp: () => void): void {
    this.#streams.delete(stream);
    this.#streams.set(stream, onGivenUp);
    let characters = 0;
    for (const { keptCharacters } of this.#streams.keys()) characters += keptCharacters;
    for (const [oldest, giveUp] of this.#streams) {
      if (characters <= this.#mostCharacters || oldest === stream) return;
      characters -= oldest.keptCharacters;
      this.#streams.delete(oldest);
      giveUp();
    }
  }

  /** Notes that somebody is connected to a stream again, or that it is kept no longer. */
  delete(stream: KeptStream): void {
    this.#streams.delete(stream);
  }
}
