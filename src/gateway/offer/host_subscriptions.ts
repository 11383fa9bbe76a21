import type { Answer } from "../rpc.ts";
import type { OnUpdate } from "./subscriptions.ts";

/**
 * Begins to tell of a resource that a host calls so; gives what ends that.
 * @throws {HotplugError} `aborted`.
 */
export type Subscribe = (
  uri: string,
  onUpdate: OnUpdate,
  signal: AbortSignal,
) => Promise<Subscribed>;

/** What becomes of a subscription: what ends it, or why there is none. */
export type Subscribed = { readonly end: () => void } | { readonly refusal: Answer };

/** A subscription of a host. */
interface Wanted {
  /** What ends it; `null` until there is one. */
  end: (() => void) | null;
  /** How many requests for it are under way. */
  underWay: number;
}

/** The resources that one host of the legacy era has subscribed to, each once. */
export class HostSubscriptions {
  readonly #onUpdate: OnUpdate;
  readonly #wanted = new Map<string, Wanted>();
  #isOver = false;

  /** None yet. */
  constructor(onUpdate: OnUpdate) {
    this.#onUpdate = onUpdate;
  }

  /** Subscribes to a resource; gives why that cannot be, else `null`. */
  async add(uri: string, subscribe: Subscribe, signal: AbortSignal): Promise<Answer | null> {
    const wanted: Wanted = this.#wanted.get(uri) ?? { end: null, underWay: 0 };
    if (wanted.end !== null) return null;
    this.#wanted.set(uri, wanted);
    const isWanted = (): boolean => !this.#isOver && this.#wanted.get(uri) === wanted;
    wanted.underWay++;
    try {
      const subscribed = await subscribe(uri, this.#onUpdate, signal);
      if ("refusal" in subscribed) return subscribed.refusal;
      // The same may have been asked for twice at a time, and the host may want it no more or be gone.
      if (wanted.end !== null || !isWanted()) subscribed.end();
      else wanted.end = subscribed.end;
      return null;
    } finally {
      wanted.underWay--;
      if (wanted.end === null && wanted.underWay === 0 && isWanted()) this.#wanted.delete(uri);
    }
  }

  /** Ends a subscription, also one that is still under way; nothing happens when there is none. */
  remove(uri: string): void {
    this.#wanted.get(uri)?.end?.();
    this.#wanted.delete(uri);
  }

  /** Ends all: the host is gone. */
  end(): void {
    this.#isOver = true;
    for (const { end } of this.#wanted.values()) end?.();
    this.#wanted.clear();
  }
}
