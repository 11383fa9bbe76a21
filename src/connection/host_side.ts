import type { ServerHost, ServerNotification } from "../model/connection.ts";
import type { HostHandlers } from "../model/host_handlers.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import { methodNotFound } from "./request_refusal.ts";
import { type LogMessage, readLogMessage } from "../model/log_message.ts";

/** What {@linkcode HostSide} takes. */
export interface HostSideOptions {
  /** Name of the server. */
  readonly name: string;
  /** What the host can do for it. */
  readonly handlers: HostHandlers | undefined;
  /** What was declared to it. */
  readonly capabilities: JsonObject;
  /** Gets every notification. */
  readonly onNotification: ((notification: ServerNotification) => void) | undefined;
  /** Gets the server's log. */
  readonly onLogMessage: ((log: LogMessage) => void) | undefined;
  /** Told of each change of a resource that was subscribed to. */
  readonly onResourceUpdated: ((uri: string) => void) | undefined;
  /** Replaces known secrets. */
  readonly mask: (text: string) => string;
  /** Where what callbacks throw is written. */
  readonly log: Logger;
}

/**
 * The host as one server sees it: answers what the server asks for, and gets what it announces. It
 * is the same for every link of a connection.
 */
export class HostSide implements ServerHost {
  readonly #options: HostSideOptions;
  readonly #over = new AbortController();
  readonly #awaited = new Map<string, Set<() => void>>();

  /** Nothing is asked yet. */
  constructor(options: HostSideOptions) {
    this.#options = options;
  }

  /** Fires when the connection ends, with why. */
  get ended(): AbortSignal {
    return this.#over.signal;
  }

  /** Notes that the connection ends. */
  end(reason: Error): void {
    this.#over.abort(reason);
  }

  /** Whether pages can be shown to the user. */
  get opensUrls(): boolean {
    const { elicitUrl, request } = this.#options.handlers ?? {};
    return elicitUrl !== undefined || request !== undefined;
  }

  /**
   * The result of one request of the server.
   * @throws {RequestRefusal} when nothing answers it; what the handler throws.
   */
  async ask(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    call: object | null,
  ): Promise<JsonObject> {
    const { name, handlers, capabilities } = this.#options;
    if (handlers === undefined) throw methodNotFound(method);
    // Most connections are never asked for anything.
    const { hostAnswer } = await import("./host_answers.ts");
    return await hostAnswer(method, params, handlers, capabilities, { server: name, signal, call });
  }

  /** Takes a notification. What callbacks throw is logged. */
  notified(notification: ServerNotification): void {
    const { name, handlers, onNotification, onLogMessage, onResourceUpdated, mask } = this.#options;
    const { method, params } = notification;
    if (method === "notifications/message") {
      this.#tell(() => onLogMessage?.(readLogMessage(name, params, Date.now(), mask)));
    } else if (method === "notifications/resources/updated") {
      const { uri } = params;
      if (typeof uri === "string") this.#tell(() => onResourceUpdated?.(uri));
    } else if (method === "notifications/elicitation/complete") {
      const { elicitationId: id } = params;
      if (typeof id === "string") {
        for (const resolve of this.#awaited.get(id) ?? []) resolve();
        this.#tell(() => handlers?.urlElicitationComplete?.(id, name));
      }
    }
    this.#tell(() => onNotification?.(notification));
  }

  /** Waits for the word that a page's business is done, from now on; `stop()` ends the waiting. */
  awaitComplete(elicitationId: string): { readonly done: Promise<void>; stop(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#awaited.get(elicitationId) ?? new Set();
    this.#awaited.set(elicitationId, waiting.add(resolve));
    return {
      done: promise,
      stop: () => {
        waiting.delete(resolve);
        if (waiting.size === 0) this.#awaited.delete(elicitationId);
      },
    };
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch (thrown) {
      this.#options.log.log("warn", "A notification callback threw", { error: String(thrown) });
    }
  }
}
