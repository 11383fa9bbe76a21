import type { LaunchKeys } from "./launch_key.ts";
import type { ManagerParts } from "./manager_parts.ts";
import type { RunningServer } from "./reconcile.ts";
import { DRAIN_MS } from "./retired_connections.ts";

/** Ends servers that are not to run any more, and knows those that still wait for their last calls. */
export class StoppedServers {
  readonly #parts: ManagerParts;
  /** The ends of those, by what each was started with. */
  readonly #ending = new Map<string, Promise<boolean>>();

  /** No server has been ended. */
  constructor(parts: ManagerParts) {
    this.#parts = parts;
  }

  /** The end of a server that was started with the same; `undefined` when none is ending. */
  endOf(keys: LaunchKeys | null): Promise<unknown> | undefined {
    return keys === null ? undefined : this.#ending.get(keys.definition);
  }

  /**
   * Ends a server: its row is the plan's again. One whose calls still run ends in the background, and
   * is not waited for. Never rejects.
   */
  async end({ name, keys }: RunningServer): Promise<void> {
    const { lives, tools, registries, context: { launches } } = this.#parts;
    const { rows, connections, inFlight } = registries;
    const before = launches.get(name);
    const connection = connections.get(name);
    const isBusy = lives.isDraining(name) ||
      (connection !== undefined && inFlight.count(connection) > 0);
    const ended = lives.end(name, null, DRAIN_MS).then(() =>
      // Else its host has started it itself meanwhile.
      launches.get(name) === before && lives.forget(name)
    );
    if (isBusy && keys !== null) this.#note(keys.definition, ended);
    const isGone = isBusy ? rows.get(name)?.state === "disconnected" : await ended;
    if (!isGone) return;
    tools.releaseNames(name);
    rows.remove(name);
    rows.tell(name);
  }

  #note(definition: string, ended: Promise<boolean>): void {
    this.#ending.set(definition, ended);
    void ended.finally(() => {
      if (this.#ending.get(definition) === ended) this.#ending.delete(definition);
    });
  }
}
