/** What ends in the background: connections that close, attempts that are given up. */
export class ClosingWork {
  readonly #going = new Set<Promise<void>>();

  /** Counts work as going on until it is done; how it ends does not matter. */
  add(work: Promise<void> | undefined): void {
    if (work === undefined) return;
    const ended = work.catch(() => {}).finally(() => this.#going.delete(ended));
    this.#going.add(ended);
  }

  /** Resolves when all of it has ended. Never rejects. */
  async ended(): Promise<void> {
    await Promise.all(this.#going);
  }
}
