import type { ServerNotification } from "../model/connection.ts";
import { isJsonObject } from "../model/json.ts";
import { CHANGES } from "./change_listener.ts";
import type { Link } from "./link.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** Milliseconds in which no more than one new session makes lists count as changed. */
const RENEWAL_MS = 60_000;

/**
 * Announces on behalf of a server what it may have announced while it was not heard, so that its
 * lists are read again.
 */
export class MissedChanges {
  readonly #announce: (notification: ServerNotification) => void;
  readonly #timers: Timers;
  #renewedAt = -Infinity;

  /** `announce` gets one announcement for each list; it must not throw. */
  constructor(
    announce: (notification: ServerNotification) => void,
    timers: Timers = systemTimers,
  ) {
    this.#announce = announce;
    this.#timers = timers;
  }

  /**
   * The common stream of the legacy era is open again: with most servers, what they sent while it
   * was broken is lost. Lists that never announce changes are left alone.
   */
  reopened({ capabilities }: Link): void {
    for (const [capability, , method] of CHANGES) {
      const value = capabilities[capability];
      if (isJsonObject(value) && value["listChanged"] === true) {
        this.#announce({ method, params: {} });
      }
    }
  }

  /**
   * A lost session was made anew: the server may be another build of itself by now, so that every
   * list counts. Where sessions get lost all the time, for want of a balancer that remembers them,
   * the lists themselves would be read all the time; hence once a minute.
   */
  renewed({ capabilities }: Link): void {
    const now = this.#timers.now();
    if (now - this.#renewedAt < RENEWAL_MS) return;
    this.#renewedAt = now;
    for (const [capability, , method] of CHANGES) {
      if (isJsonObject(capabilities[capability])) this.#announce({ method, params: {} });
    }
  }
}
