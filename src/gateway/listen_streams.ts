import type { FrameId } from "../connection/frames.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Subscribe } from "./offer/host_subscriptions.ts";
import { SERVER_INFO, SUBSCRIPTION_KEY } from "./protocol_versions.ts";
import {
  type Answer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  notificationMessage,
  refused,
} from "./rpc.ts";

/** A list whose changes hosts are told of. */
export type ChangingList = "tools" | "prompts" | "resources";

/** Most streams of one host. */
const MOST_STREAMS = 1_024;

/** Most resources of one stream; what is asked for beyond is not confirmed. */
const MOST_RESOURCES = 1_024;

/** Most updates that are kept until a stream is confirmed. */
const MOST_EARLY = 1_024;

const LISTS: readonly ChangingList[] = ["tools", "prompts", "resources"];

/** One stream. */
interface Stream {
  /** The lists that it wants to know of. */
  readonly lists: ReadonlySet<ChangingList>;
  /** Fires when it is over. */
  readonly over: AbortController;
  /** What ends its subscriptions. */
  readonly ends: (() => void)[];
  /** What came before it was confirmed; `null` once it is. */
  early: JsonObject[] | null;
}

/**
 * The `subscriptions/listen` streams of one host of the modern era: changes are told only to those
 * that asked for them. A stream is a request that is answered when it ends.
 */
export class ListenStreams {
  readonly #send: (message: JsonObject, about: FrameId) => unknown;
  readonly #streams = new Map<FrameId, Stream>();

  /** No stream is open. */
  constructor(send: (message: JsonObject, about: FrameId) => unknown) {
    this.#send = send;
  }

  /** Whether anybody listens for changes of a list. */
  hears(list: ChangingList): boolean {
    return [...this.#streams.values()].some(({ lists, early }) =>
      early === null && lists.has(list)
    );
  }

  /**
   * Opens a stream and confirms what it will carry, once all of its resources are subscribed to or
   * cannot be; gives the answer to a request that cannot be.
   */
  async open(id: FrameId, params: JsonObject, subscribe: Subscribe): Promise<Answer | null> {
    const wanted = params["notifications"];
    if (!isJsonObject(wanted)) {
      return refused(INVALID_PARAMS, 'Invalid params: "notifications" is required, an object');
    }
    if (this.#streams.size >= MOST_STREAMS) {
      return refused(INTERNAL_ERROR, "Subscription limit reached");
    }
    const lists = new Set(LISTS.filter((list) => wanted[`${list}ListChanged`] === true));
    const stream: Stream = { lists, over: new AbortController(), ends: [], early: [] };
    // Nothing keeps a host from giving an id twice.
    this.cancel(id);
    this.#streams.set(id, stream);
    const uris = await this.#subscribed(id, stream, wanted["resourceSubscriptions"], subscribe);
    const early = stream.early ?? [];
    stream.early = null;
    if (stream.over.signal.aborted) return null;
    this.#notify("notifications/subscriptions/acknowledged", id, {
      notifications: {
        ...Object.fromEntries([...lists].map((list) => [`${list}ListChanged`, true])),
        ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
      },
    });
    for (const update of early) this.#updated(id, stream, update);
    return null;
  }

  /** Ends a stream that the host has cancelled; `false` when the id is none. */
  cancel(id: FrameId): boolean {
    const stream = this.#streams.get(id);
    if (stream === undefined) return false;
    this.#streams.delete(id);
    endStream(stream);
    return true;
  }

  /** Tells those who listen that a list has changed. */
  listChanged(list: ChangingList): void {
    for (const [id, { lists, early }] of this.#streams) {
      if (early === null && lists.has(list)) {
        this.#notify(`notifications/${list}/list_changed`, id, {});
      }
    }
  }

  /** Ends all: each is answered. */
  end(): void {
    for (const [id, stream] of this.#streams) {
      endStream(stream);
      const _meta = {
        [SUBSCRIPTION_KEY]: id,
        "io.modelcontextprotocol/serverInfo": SERVER_INFO,
      };
      this.#send({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta } }, id);
    }
    this.#streams.clear();
  }

  /** Subscribes a stream to resources; gives those that it will be told of. Never rejects. */
  async #subscribed(
    id: FrameId,
    stream: Stream,
    wanted: JsonValue | undefined,
    subscribe: Subscribe,
  ): Promise<readonly string[]> {
    if (!Array.isArray(wanted)) return [];
    const texts = (wanted as readonly JsonValue[]).filter((uri) => typeof uri === "string");
    const uris = [...new Set(texts)].slice(0, MOST_RESOURCES);
    const onUpdate = (params: JsonObject): void => this.#updated(id, stream, params);
    const { signal } = stream.over;
    const honoured = await Promise.all(uris.map(async (uri) => {
      try {
        const subscribed = await subscribe(uri, onUpdate, signal);
        if ("refusal" in subscribed) return false;
        if (signal.aborted) subscribed.end();
        else stream.ends.push(subscribed.end);
        return true;
      } catch {
        return false;
      }
    }));
    return uris.filter((_, index) => honoured[index]);
  }

  #updated(id: FrameId, { early, over }: Stream, params: JsonObject): void {
    if (over.signal.aborted) return;
    if (early === null) this.#notify("notifications/resources/updated", id, params);
    else if (early.length < MOST_EARLY) early.push(params);
  }

  #notify(method: string, id: FrameId, params: JsonObject): void {
    const given = isJsonObject(params["_meta"]) ? params["_meta"] : {};
    const _meta = { ...given, [SUBSCRIPTION_KEY]: id };
    this.#send(notificationMessage(method, { ...params, _meta }), id);
  }
}

function endStream({ over, ends }: Stream): void {
  over.abort();
  for (const end of ends) end();
}
