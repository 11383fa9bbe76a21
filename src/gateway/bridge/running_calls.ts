import type { AskAsker, ForwardOptions } from "../../model/forward.ts";

/** What a request of a host takes on its way to a server. */
export interface HostedOptions extends ForwardOptions {
  /** Whether its host waits for it now. Default: as long as it runs. */
  readonly isAwaited?: (() => boolean) | undefined;
}

/** A request of a host that runs at a server. */
export interface RunningCall {
  /** Asks its host for what the server needs. */
  readonly ask: AskAsker;
  /** Whether its host waits for it now. */
  readonly isAwaited: () => boolean;
}

/** The requests of hosts that run at the servers of one session. */
export class RunningCalls {
  /** By server, oldest first. */
  readonly #running = new Map<string, Set<RunningCall>>();

  /** Sends a request; as long as it runs, its server may ask its host. */
  async during<Result>(
    server: string,
    { ask, isAwaited = () => true }: HostedOptions,
    send: (call: object | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (ask === undefined) return await send(undefined);
    const call: RunningCall = { ask, isAwaited };
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

  /** The request that stands behind `call`; `null` when it is none of these, or over. */
  known(server: string, call: object | null): RunningCall | null {
    const running = this.#running.get(server);
    return call !== null && running?.has(call as RunningCall) === true ? call as RunningCall : null;
  }

  /**
   * The newest at a server for which its host waits, else the newest; `null` when none runs.
   * @param except Those that are out of the question.
   */
  newest(server: string, except: ReadonlySet<RunningCall>): RunningCall | null {
    const running = [...this.#running.get(server) ?? []].filter((call) => !except.has(call));
    return running.findLast(({ isAwaited }) => isAwaited()) ?? running.at(-1) ?? null;
  }

  /** Whether none runs. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }
}
