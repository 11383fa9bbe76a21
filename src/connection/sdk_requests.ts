import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { FrameId } from "./frames.ts";

/** The request that stays open for as long as its client listens, and is not waited for. */
const LISTEN = "subscriptions/listen";

/** One request of the SDK that waits for an answer. */
export interface SdkRequest {
  /** Its id, as the SDK gave it. */
  readonly id: FrameId;
  /** Its method. */
  readonly method: string;
}

/** Requests that the SDK sent by itself and that wait for an answer. */
export class SdkRequests {
  readonly #waiting = new Map<FrameId, string>();

  /** Notes a message of the SDK that goes out; gives the id when it is a request. */
  sent(message: JSONRPCMessage): FrameId | null {
    if (!("method" in message)) return null;
    if ("id" in message) {
      this.#waiting.set(message.id, message.method);
      return message.id;
    }
    if (message.method === "notifications/cancelled") {
      const { requestId } = (message.params ?? {}) as { readonly requestId?: FrameId };
      if (requestId !== undefined) this.forget(requestId);
    }
    return null;
  }

  /** Notes that no answer to a request will come. */
  forget(id: FrameId): void {
    this.#waiting.delete(id);
  }

  /** Notes that none waits any more. */
  clear(): void {
    this.#waiting.clear();
  }

  /**
   * Takes the request that an answer is for; `null` when none waits. The SDK counts in numbers;
   * some servers answer with the same number as a text.
   */
  take(id: FrameId): SdkRequest | null {
    const other = typeof id === "string" ? Number(id) : String(id);
    for (const known of [id, other]) {
      const method = this.#waiting.get(known);
      if (method === undefined) continue;
      this.#waiting.delete(known);
      return { id: known, method };
    }
    return null;
  }

  /** Ids of those that an answer is expected for soon. */
  ids(): FrameId[] {
    return [...this.#waiting].flatMap(([id, method]) => method === LISTEN ? [] : [id]);
  }
}
