import { abortedError, unlessAborted } from "../../model/abort.ts";
import type { JsonObject } from "../../model/json.ts";
import type { GatewaySession } from "../gateway_session.ts";
import type { ResourceAddress, ResourceCatalogue } from "./resource_catalogue.ts";

/** Gets the params of an update, with the URI that the host knows the resource by. */
export type OnUpdate = (params: JsonObject) => void;

/** One host that wants to know of one resource. */
interface Holder {
  /** How it calls the resource. */
  readonly uri: string;
  readonly onUpdate: OnUpdate;
}

/** One resource of one server. */
interface Watched {
  readonly address: ResourceAddress;
  readonly holders: Set<Holder>;
  /** Whether the server was asked to tell of it. */
  isOn: boolean;
  /** What is done about it, one after the other. */
  turn: Promise<void>;
}

/**
 * What hosts want to know of: a server is asked to tell of a resource when the first host wants it,
 * and no longer when the last one has left.
 */
export class Subscriptions {
  readonly #session: GatewaySession;
  readonly #resources: ResourceCatalogue;
  readonly #watched = new Map<string, Watched>();

  /** Nobody wants to know of anything. */
  constructor(session: GatewaySession, resources: ResourceCatalogue) {
    this.#session = session;
    this.#resources = resources;
  }

  /**
   * Subscribes a host to a resource, which it calls by `uri`; gives what ends that.
   * @throws {HotplugError} why its server does not tell of it; `aborted`.
   */
  async add(
    address: ResourceAddress,
    { uri, onUpdate, signal }: Holder & { readonly signal: AbortSignal },
  ): Promise<() => void> {
    const key = `${address.server.length}:${address.server}${address.uri}`;
    const watched = this.#watched.get(key) ??
      { address, holders: new Set<Holder>(), isOn: false, turn: Promise.resolve() };
    this.#watched.set(key, watched);
    const holder: Holder = { uri, onUpdate };
    watched.holders.add(holder);
    const end = (): void => {
      if (watched.holders.delete(holder)) void this.#inTurn(key, watched).catch(() => {});
    };
    try {
      await unlessAborted(this.#inTurn(key, watched, signal), signal);
    } catch (thrown) {
      end();
      throw thrown;
    }
    return end;
  }

  /**
   * Takes an update that a server has told. One that names no resource that somebody asked for, such
   * as a part of one, goes to all who asked for something of that server.
   */
  updated(server: string, params: JsonObject): void {
    const { uri } = params;
    if (typeof uri !== "string") return;
    const own = [...this.#watched.values()].filter(({ address }) => address.server === server);
    const exact = own.find(({ address }) => address.uri === uri);
    if (exact !== undefined) {
      for (const holder of [...exact.holders]) holder.onUpdate({ ...params, uri: holder.uri });
      return;
    }
    const name = this.#resources.nameFor(server, uri);
    const told = new Set<OnUpdate>();
    for (const { onUpdate } of own.flatMap(({ holders }) => [...holders])) {
      if (told.has(onUpdate)) continue;
      told.add(onUpdate);
      onUpdate({ ...params, uri: name });
    }
  }

  /** Brings the server to what is wanted, after all that is under way. */
  #inTurn(key: string, watched: Watched, signal?: AbortSignal): Promise<void> {
    const done = watched.turn.then(() => this.#settle(key, watched, signal));
    watched.turn = done.catch(() => {});
    return done;
  }

  async #settle(key: string, watched: Watched, signal: AbortSignal | undefined): Promise<void> {
    const { address: { server, uri }, holders } = watched;
    const isWanted = holders.size > 0;
    if (isWanted && !watched.isOn) {
      if (signal?.aborted === true) throw abortedError(signal);
      await this.#session.subscribe(server, uri, { signal });
      watched.isOn = true;
    } else if (!isWanted && watched.isOn) {
      watched.isOn = false;
      await this.#session.unsubscribe(server, uri).catch(() => {});
    }
    if (holders.size === 0 && !watched.isOn && this.#watched.get(key) === watched) {
      this.#watched.delete(key);
    }
  }
}
