/** What a {@linkcode ListNotice} works with. */
export interface ListNoticeOptions {
  /** Whether the host may be told now: it has finished its initialisation, or listens. */
  readonly mayTell: () => boolean;
  /** Tells the host that a list has changed. */
  readonly tell: () => void;
}

/** Tells one host of changes of a list: at once, or as soon as it may be told. */
export class ListNotice {
  readonly #options: ListNoticeOptions;
  /** Whether there was a change that the host was not ready to be told of. */
  #isOwed = false;

  /** Nothing has changed yet. */
  constructor(options: ListNoticeOptions) {
    this.#options = options;
  }

  /** Notes that the list has changed; gives whether the host was told. */
  changed(): boolean {
    this.#isOwed = !this.#options.mayTell();
    if (!this.#isOwed) this.#options.tell();
    return !this.#isOwed;
  }

  /** Notes that the host may be told from now on, and tells it what it is owed. */
  ready(): void {
    if (this.#isOwed) this.changed();
  }
}
