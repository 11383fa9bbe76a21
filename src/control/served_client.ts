import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";

import { HotplugError, toHotplugError } from "../model/errors.ts";
import { SocketLines } from "../platform/local_socket_lines.ts";
import {
  acceptedLine,
  type ControlRequest,
  failureLine,
  parseRequest,
  resultLine,
  RPC,
} from "./control_messages.ts";

/** What clients of a control socket are given. */
export interface ControlLimits {
  /** Clients at once. Default 64. */
  readonly clients: number;
  /** Milliseconds within which a client must have said the token. Default 5,000. */
  readonly tokenMs: number;
  /** Milliseconds that a client may be connected and ask for nothing. Default 60,000. */
  readonly idleMs: number;
  /** Most characters of one request. Default 65,536. */
  readonly longest: number;
  /** Requests of one client that may wait for their answers. Default 8. */
  readonly pending: number;
  /** Bytes of answers that a client may leave unread. Default 16 MiB. */
  readonly unread: number;
}

/** How a client is served. */
export interface ServedClientOptions {
  /** What it must say first. */
  readonly token: string;
  /** What it is given. */
  readonly limits: ControlLimits;
  /** Does what it asks for; `accepted` tells it how long that may take. */
  readonly run: (
    request: ControlRequest,
    accepted: (slowestMs: number) => void,
  ) => Promise<unknown>;
  /** Called once, when it is gone. */
  readonly onEnd: () => void;
}

/** One client of a control socket: nothing that it does or leaves undone concerns another one. */
export class ServedClient {
  readonly #options: ServedClientOptions;
  readonly #lines: SocketLines;
  #isKnown = false;
  #isOver = false;
  #pending = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Serves a client that has just connected. */
  constructor(socket: Socket, options: ServedClientOptions) {
    this.#options = options;
    const { limits, onEnd } = options;
    this.#lines = new SocketLines(socket, {
      longest: limits.longest,
      mostQueued: limits.unread,
      onLine: (line) => this.#take(line),
      onEnd: () => {
        this.#isOver = true;
        clearTimeout(this.#timer);
        onEnd();
      },
    });
    this.#waitAtMost(limits.tokenMs);
  }

  /** Ends it once its last answer has left, at most half a second from now. */
  end(): void {
    this.#lines.end();
  }

  #take(line: string): void {
    if (!this.#isKnown) {
      // Whoever does not know it learns nothing, not even that this is the reason.
      if (!isSame(line, this.#options.token)) return this.#lines.cut();
      this.#isKnown = true;
      return this.#waitAtMost(this.#options.limits.idleMs);
    }
    const request = parseRequest(line);
    if (request === null) {
      const error = new HotplugError("usage", "Cannot read a request: it is none of JSON-RPC");
      this.#lines.write(failureLine(null, error, RPC.noRequest));
      return this.#lines.end();
    }
    if (this.#pending >= this.#options.limits.pending) {
      const error = new HotplugError("usage", "Cannot take a request: too many wait already");
      return this.#lines.write(failureLine(request.id, error, RPC.failed));
    }
    void this.#answer(request);
  }

  async #answer(request: ControlRequest): Promise<void> {
    const { id } = request;
    this.#pending++;
    clearTimeout(this.#timer);
    try {
      const result = await this.#options.run(request, (slowestMs) => {
        this.#lines.write(acceptedLine({ id, slowestMs }));
      });
      this.#lines.write(resultLine(id, result));
    } catch (thrown) {
      const error = toHotplugError(thrown);
      this.#lines.write(failureLine(id, error, RPC_CODES[error.code] ?? RPC.failed));
    }
    if (--this.#pending === 0) this.#waitAtMost(this.#options.limits.idleMs);
  }

  #waitAtMost(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => this.#lines.cut(), milliseconds);
    // A client that says nothing keeps no host alive.
    this.#timer.unref();
  }
}

/** JSON-RPC's own codes for what a client did wrong. */
const RPC_CODES: Partial<Record<HotplugError["code"], number>> = {
  "bad-arguments": RPC.badParams,
  "usage": RPC.noMethod,
};

/** Whether two texts are equal, in a time that tells nothing of where they differ. */
function isSame(given: string, token: string): boolean {
  if (given.length !== token.length) return false;
  let difference = 0;
  for (let index = 0; index < token.length; index++) {
    difference |= given.charCodeAt(index) ^ token.charCodeAt(index);
  }
  return difference === 0;
}
