import type { Frame, FrameError, FrameId } from "../connection/frames.ts";
import { RequestRefusal } from "../connection/request_refusal.ts";
import { abortedError } from "../model/abort.ts";
import type { JsonObject } from "../model/json.ts";
import { INTERNAL_ERROR, notificationMessage } from "./rpc.ts";

/** What the ids of a gateway's own requests begin with. */
const PREFIX = "hotplug-";

/** Requests to one host that may be open at one time. */
const MOST_OPEN = 256;

/** One request that the host has not answered yet. */
interface Ask {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/**
 * What a gateway asks of one host of the legacy era, for servers behind it: each is answered once, or
 * ends with the one who asked.
 */
export class HostAsks {
  readonly #send: (message: JsonObject, about: FrameId | null) => boolean;
  readonly #open = new Map<FrameId, Ask>();
  #count = 0;
  #isOver = false;

  /** Nothing is asked yet. */
  constructor(send: (message: JsonObject, about: FrameId | null) => boolean) {
    this.#send = send;
  }

  /**
   * The host's answer to a request, as received.
   * @param about Id of the host's own request that it belongs to; `null` when it is not known.
   * @throws {RequestRefusal} when the host refuses it, is gone, or has too much to answer;
   * {HotplugError} `aborted`, and then the host is told that nobody waits any more.
   */
  async ask(
    method: string,
    params: JsonObject,
    { signal, about }: { readonly signal: AbortSignal; readonly about: FrameId | null },
  ): Promise<JsonObject> {
    if (signal.aborted) throw abortedError(signal);
    if (this.#isOver) throw hostGone();
    if (this.#open.size >= MOST_OPEN) {
      throw new RequestRefusal(INTERNAL_ERROR, "The host has too many questions to answer");
    }
    const id = `${PREFIX}${++this.#count}`;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    this.#open.set(id, { resolve, reject });
    const onAbort = (): void => {
      this.#send(notificationMessage("notifications/cancelled", { requestId: id }), about);
      reject(abortedError(signal));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (!this.#send({ jsonrpc: "2.0", id, method, params }, about)) {
        throw new RequestRefusal(INTERNAL_ERROR, "The question is too large to be sent");
      }
      return await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#open.delete(id);
    }
  }

  /** Takes an answer of the host; `false` when it is to no open request. */
  answered(frame: Frame & { readonly kind: "result" | "error" }): boolean {
    const ask = frame.id === null ? undefined : this.#open.get(frame.id);
    if (ask === undefined) return false;
    if (frame.kind === "result") ask.resolve(frame.result);
    else ask.reject(refusalBy(frame.error));
    return true;
  }

  /** Notes that the host is gone: what is open is refused, and so is all that comes. */
  end(): void {
    this.#isOver = true;
    for (const ask of this.#open.values()) ask.reject(hostGone());
    this.#open.clear();
  }
}

function refusalBy({ code, message, data }: FrameError): RequestRefusal {
  return new RequestRefusal(code, message, data);
}

function hostGone(): RequestRefusal {
  return new RequestRefusal(INTERNAL_ERROR, "The host is gone");
}
