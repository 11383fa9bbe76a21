// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them

/** Asks a process that owes an answer and says nothing whether it lives. */
export class SilenceWatch {
  #options;
  #hasSpoken = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {object} options
   * @param {number} options.silenceMs How long it may say nothing, and then how long it may take to
   * say that it lives.
   * @param {() => void} options.ask
   * @param {() => void} options.giveUp
   */
  constructor(options) {
    this.#options = options;
  }

  /** An answer is owed from now on. */
  begin() {
    if (this.#timer !== undefined) return;
    const { silenceMs, ask, giveUp } = this.#options;
    this.#hasSpoken = true;
    let isAsked = false;
    this.#timer = setInterval(() => {
      if (isAsked && !this.#hasSpoken) return giveUp();
      isAsked = !this.#hasSpoken;
      this.#hasSpoken = false;
      if (isAsked) ask();
    }, silenceMs);
  }

  /** The process has said something. */
  hear() {
    this.#hasSpoken = true;
  }

  /** No answer is owed any more. */
  end() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
