import type { JsonObject } from "../model/json.ts";
import type { ServerView } from "../model/server_view.ts";
import { notificationMessage } from "./rpc.ts";
import { serverOutcome } from "./server_outcomes.ts";

/** The `logger` of log messages that tell of a server's state. */
export const STATUS_LOGGER = "dev.hotplug/status";

/**
 * Tells a host that asked for it what becomes of each server, as log messages whose data are
 * `{ server, state, tools, error }`: once it is ready to hear, then with each change.
 */
export class StatusNotices {
  readonly #send: (message: JsonObject) => unknown;
  /** What the host was told last of each server, or is yet to be told. */
  readonly #latest = new Map<string, { readonly text: string; readonly data: JsonObject }>();
  #isReady = false;

  /** The host is not ready yet. */
  constructor(send: (message: JsonObject) => unknown) {
    this.#send = send;
  }

  /** Notes a server's row. What says the same as before is not told again. */
  changed(view: ServerView): void {
    const { state, tools, error } = serverOutcome(view);
    const data: JsonObject = { server: view.name, state, tools, error };
    const text = JSON.stringify(data);
    if (this.#latest.get(view.name)?.text === text) return;
    this.#latest.set(view.name, { text, data });
    if (this.#isReady) this.#tell(data);
  }

  /** Tells what has become of each server so far, and from now on each change. */
  ready(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    for (const { data } of this.#latest.values()) this.#tell(data);
  }

  #tell(data: JsonObject): void {
    const level = data["error"] === null ? "info" : "warning";
    this.#send(
      notificationMessage("notifications/message", { level, logger: STATUS_LOGGER, data }),
    );
  }
}
