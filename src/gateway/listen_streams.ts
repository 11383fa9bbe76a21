import type { FrameId } from "../connection/frames.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { SERVER_INFO } from "./protocol_versions.ts";
import {
  type Answer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  notificationMessage,
  refused,
} from "./rpc.ts";

/** Key of `_meta` by which a notification names the stream that it belongs to. */
const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** Most streams of one host. */
const MOST_STREAMS = 1_024;

/**
 * The `subscriptions/listen` streams of one host of the modern era: changes are told only to those
 * that asked for them. A stream is a request that is answered when it ends.
 */
export class ListenStreams {
  readonly #send: (message: JsonObject, about: FrameId) => unknown;
  /** Whether each stream wants to know of tools. */
  readonly #streams = new Map<FrameId, boolean>();

  /** No stream is open. */
  constructor(send: (message: JsonObject, about: FrameId) => unknown) {
    this.#send = send;
  }

  /** Whether anybody listens for changes of the tools. */
  get hearsTools(): boolean {
    return [...this.#streams.values()].some((hears) => hears);
  }

  /** Opens a stream and confirms what it will carry; gives the answer to a request that cannot be. */
  open(id: FrameId, params: JsonObject): Answer | null {
    const wanted = params["notifications"];
    if (!isJsonObject(wanted)) {
      return refused(INVALID_PARAMS, 'Invalid params: "notifications" is required, an object');
    }
    if (this.#streams.size >= MOST_STREAMS) {
      return refused(INTERNAL_ERROR, "Subscription limit reached");
    }
    const tools = wanted["toolsListChanged"] === true;
    this.#streams.set(id, tools);
    this.#notify("notifications/subscriptions/acknowledged", id, {
      notifications: tools ? { toolsListChanged: true } : {},
    });
    return null;
  }

  /** Ends a stream that the host has cancelled; `false` when the id is none. */
  cancel(id: FrameId): boolean {
    return this.#streams.delete(id);
  }

  /** Tells those who listen that the tools have changed. */
  toolsChanged(): void {
    for (const [id, hears] of this.#streams) {
      if (hears) this.#notify("notifications/tools/list_changed", id, {});
    }
  }

  /** Ends all: each is answered. */
  end(): void {
    for (const id of this.#streams.keys()) {
      const _meta = {
        [SUBSCRIPTION_KEY]: id,
        "io.modelcontextprotocol/serverInfo": SERVER_INFO,
      };
      this.#send({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta } }, id);
    }
    this.#streams.clear();
  }

  #notify(method: string, id: FrameId, params: JsonObject): void {
    const _meta = { [SUBSCRIPTION_KEY]: id };
    this.#send(notificationMessage(method, { ...params, _meta }), id);
  }
}
