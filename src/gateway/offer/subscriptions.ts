import { abortedError, unlessAborted } from "../../model/abort.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { RequestOptions } from "../../model/tool.ts";
import { SUBSCRIPTION_KEY } from "../protocol_versions.ts";
import type { ResourceAddress } from "./resource_catalogue.ts";

/** Gets the params of an update, with the URI that the host knows the resource by. */
export type OnUpdate = (params: JsonObject) => void;

/** One host that wants to know of one resource. */
export interface Holder {
  /** How it calls the resource. */
  readonly uri: string;
  /** How it calls another resource of that server. */
  readonly nameFor: (server: string, uri: string) => string;
  /** Tells it. */
  readonly onUpdate: OnUpdate;
}

/** What asks servers to tell of resources. */
export interface Subscriber {
  /** Asks for it. @throws {HotplugError} why there is no telling. */
  subscribe(server: string, uri: string, options: RequestOptions): Promise<void>;
  /** Ends that. */
  unsubscribe(server: string, uri: string): Promise<void>;
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
  readonly #watched = new Map<string, Watched>();
  #subscriber: Subscriber | null = null;

  /** Notes what asks the servers, before anybody wants to know of anything. */
  begin(subscriber: Subscriber): void {
    this.#subscriber = subscriber;
  }

  /**
   * Subscribes a host to a resource; gives what ends that.
   * @throws {HotplugError} why its server does not tell of it; `aborted`.
   */
  async add(
    address: ResourceAddress,
    wanted: Holder,
    signal: AbortSignal,
  ): Promise<() => void> {
    const key = `${address.server.length}:${address.server}${address.uri}`;
    const watched = this.#watched.get(key) ??
      { address, holders: new Set<Holder>(), isOn: false, turn: Promise.resolve() };
    this.#watched.set(key, watched);
    // A host may subscribe to a resource by two names.
    const holder = { ...wanted };
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
   * Takes an update that a server has told. It goes to those who asked for the resource, or for one
   * that it is a part of by its URI; where there is none, to all who asked for something of that
   * server, as only the server knows what is a part of what.
   */
  updated(server: string, told: JsonObject): void {
    const params = withoutStream(told);
    const { uri } = params;
    if (typeof uri !== "string") return;
    const own = [...this.#watched.values()].filter(({ address }) => address.server === server);
    const meant = own.filter(({ address }) => isPart(uri, address.uri));
    const reached = new Set<OnUpdate>();
    // Who asked for the resource itself gets it under the name that it was asked for by.
    for (const { address, holders } of meant) {
      if (address.uri !== uri) continue;
      for (const holder of [...holders]) {
        reached.add(holder.onUpdate);
        holder.onUpdate({ ...params, uri: holder.uri });
      }
    }
    const others = meant.length === 0 ? own : meant;
    for (const { nameFor, onUpdate } of others.flatMap(({ holders }) => [...holders])) {
      if (reached.has(onUpdate)) continue;
      reached.add(onUpdate);
      onUpdate({ ...params, uri: nameFor(server, uri) });
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
      await this.#subscriber?.subscribe(server, uri, { signal });
      watched.isOn = true;
    } else if (!isWanted && watched.isOn) {
      watched.isOn = false;
      await this.#subscriber?.unsubscribe(server, uri).catch(() => {});
    }
    if (holders.size === 0 && !watched.isOn && this.#watched.get(key) === watched) {
      this.#watched.delete(key);
    }
  }
}

/** Whether a URI is another one, or lies below it. */
function isPart(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  return uri.length === whole.length || whole.endsWith("/") ||
    "/?#".includes(uri.charAt(whole.length));
}

/** Params without the name of the stream that they came on, which is none of the host's. */
function withoutStream(params: JsonObject): JsonObject {
  const { _meta, ...rest } = params;
  if (!isJsonObject(_meta) || _meta[SUBSCRIPTION_KEY] === undefined) return params;
  const { [SUBSCRIPTION_KEY]: _, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}
