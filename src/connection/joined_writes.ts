/** What text is written into: a stream of Node. */
export interface TextTarget {
  /** Writes a text, and calls back when the system has taken it, or with why it could not. */
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/** Writes the texts of one turn in one piece: many at a time cost little more than one. */
export class JoinedWrites {
  readonly #target: TextTarget;
  #texts: string[] = [];
  #size = 0;
  #written: Promise<void> | null = null;

  /** Nothing waits. */
  constructor(target: TextTarget) {
    this.#target = target;
  }

  /** Characters that wait for the end of the turn. */
  get size(): number {
    return this.#size;
  }

  /** Writes a text after all before it; resolves when the system has taken it. Rejects when not. */
  write(text: string): Promise<void> {
    this.#texts.push(text);
    this.#size += text.length;
    this.#written ??= this.#writeAll();
    return this.#written;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    const text = this.#texts.length === 1 ? this.#texts[0] ?? "" : this.#texts.join("");
    this.#texts = [];
    this.#size = 0;
    this.#written = null;
    await new Promise<void>((resolve, reject) => {
      this.#target.write(text, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }
}
