import type { AskAsker, ForwardOptions } from "../../model/forward.ts";

/** A request of a host that runs at a server. */
export interface RunningCall {
  /** Asks its host for what the server needs. */
  readonly ask: AskAsker;
}

/** The requests of hosts that run at the servers of one session. */
export class RunningCalls {
  /** By server, oldest first. */
  readonly #running = new Map<string, Set<RunningCall>>();

  /** Sends a request; as long as it runs, its server may ask its host. */
  async during<Result>(
    server: string,
    { ask }: Pick<ForwardOptions, "ask">,
    send: (call: object | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (ask === undefined) return await send(undefined);
    const call: RunningCall = { ask };
    const running = this.#running.get(server) ?? new Set();
    this.#running.set(server, running.add(call));
    try {
      return await send(call);
    } finally {
      running.delete(call);
      if (running.size === 0 && this.#running.get(server) === running) {
        this.#running.delete(server);
      }
    }
  }

  /**
   * The request because of which a server asks: the one that stands behind `call`, else the newest
   * at that server; `null` when none runs.
   */
  behind(server: string, call: object | null): RunningCall | null {
    const running = this.#running.get(server);
    if (running === undefined) return null;
    const found = call !== null && running.has(call as RunningCall)
      ? call as RunningCall
      : [...running].at(-1);
    return found ?? null;
  }

  /** Whether none runs. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }
}
