/** Does work one piece after the other, in the order in which it was asked for. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Does it when all that was asked for before is done, however that ended. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
