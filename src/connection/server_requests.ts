import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { unlessAborted } from "../model/abort.ts";
import type { JsonObject } from "../model/json.ts";
import type { FrameId } from "./frames.ts";
import { INTERNAL_ERROR, methodNotFound, refusalOf, RequestRefusal } from "./request_refusal.ts";
import type { WireOptions } from "./wire_options.ts";

/**
 * Gives the result of a server's request; `call` stands for the request of ours that it belongs to.
 * @throws what it is refused with.
 */
export type AskHost = (
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  call: object | null,
) => Promise<JsonObject>;

/** Requests of one server that may be open at one time; a further one is refused. */
const MOST_OPEN = 100;

/**
 * What a server asks of us over one transport. Each request is answered once, whatever the host
 * does; not at all when the server withdrew it or the transport has ended.
 */
export class ServerRequests {
  readonly #options: WireOptions;
  readonly #hold: () => () => void;
  readonly #open = new Map<FrameId, AbortController>();

  /**
   * None is open. `hold` stops the clocks of our own requests while the host is asked, and gives
   * what lets them go on.
   */
  constructor(options: WireOptions, hold: () => () => void) {
    this.#options = options;
    this.#hold = hold;
  }

  /** Answers a request, sooner or later; `call` stands for the request of ours behind it. */
  async take(
    id: FrameId,
    method: string,
    params: JsonObject,
    call: object | null = null,
  ): Promise<void> {
    const { log } = this.#options;
    if (this.#open.has(id)) return log.log("debug", "Dropped a request with an id in use", { id });
    const controller = new AbortController();
    // A ping costs the host nothing, and refused it would look like a failure.
    const full = this.#open.size >= MOST_OPEN && method !== "ping";
    if (!full) this.#open.set(id, controller);
    let answer: JsonObject;
    try {
      if (full) throw new RequestRefusal(INTERNAL_ERROR, "Too many requests are open");
      const result = await this.#answer(method, params, controller.signal, call);
      answer = { jsonrpc: "2.0", id, result };
    } catch (thrown) {
      if (controller.signal.aborted) return;
      const { code, message, data } = refusalOf(thrown);
      if (!(thrown instanceof RequestRefusal)) {
        log.log("warn", "A handler of the host has failed", { method, error: String(thrown) });
      }
      const error = data === undefined ? { code, message } : { code, message, data };
      answer = { jsonrpc: "2.0", id, error };
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id);
    }
    try {
      await this.#options.inner.send(answer as unknown as JSONRPCMessage);
    } catch (thrown) {
      log.log("debug", "Cannot send an answer", { method, error: String(thrown) });
    }
  }

  /** Takes the server's word that it wants no answer; `false` when it is about none that is open. */
  cancelled(params: JsonObject): boolean {
    const id = params["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return false;
    const controller = this.#open.get(id);
    if (controller === undefined) return false;
    this.#open.delete(id);
    controller.abort(new Error("The server withdrew the request"));
    return true;
  }

  /** Drops all. */
  end(reason: Error): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const controller of open) controller.abort(reason);
  }

  async #answer(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    call: object | null,
  ): Promise<JsonObject> {
    if (method === "ping") return {};
    const { ask } = this.#options;
    if (ask === undefined) {
      throw methodNotFound(method);
    }
    const goOn = this.#hold();
    try {
      return await unlessAborted(ask(method, params, signal, call), signal);
    } finally {
      goOn();
    }
  }
}
