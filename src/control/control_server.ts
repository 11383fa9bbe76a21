import { createServer, type Server, type Socket } from "node:net";

import { unlessAborted } from "../model/abort.ts";
import { HotplugError } from "../model/errors.ts";
import { type ControlLimits, ServedClient } from "./served_client.ts";
import { type ControlledSession, isSteering, runMethod } from "./session_methods.ts";
import { within } from "../platform/within.ts";
import type { HotplugFolders } from "../model/machine.ts";
import type { ControlRequest } from "./control_messages.ts";
import { SteeringLine } from "./steering_line.ts";

/** Milliseconds after which an end no longer waits for the system. */
const CLOSE_MS = 1_500;

/** What a control server serves, and how. */
export interface ControlServerOptions {
  /** The session. */
  readonly session: ControlledSession;
  /** Where logs are. */
  readonly folders: HotplugFolders;
  /** What clients must say first. */
  readonly token: string;
  /** Milliseconds that the session's slowest server may take. */
  readonly slowestMs: () => number;
  /** What changes the session waits for this. */
  readonly ready: Promise<void>;
  /** What clients are given. */
  readonly limits: ControlLimits;
}

/** Serves one session over one socket. */
export class ControlServer {
  readonly #options: ControlServerOptions;
  readonly #server: Server;
  readonly #clients = new Set<ServedClient>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  readonly #line: SteeringLine;
  #closed: Promise<void> | null = null;

  /** Listens nowhere yet. */
  constructor(options: ControlServerOptions) {
    this.#options = options;
    this.#line = new SteeringLine(options.slowestMs);
    this.#server = createServer((socket) => this.#serve(socket));
    // A session does not keep its host alive for the sake of those who might ask.
    this.#server.unref();
  }

  /** Listens at a path. @throws What the system says. */
  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, () => {
        this.#server.off("error", reject);
        // A client that cannot be taken on (no descriptor left) is that client's loss.
        this.#server.on("error", () => {});
        resolve();
      });
    });
  }

  /** Ends what is under way, lets its clients know, and listens no more. Bounded, idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const isClosed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // All that is under way ends at once, whatever the session makes of it.
    this.#ending.abort();
    await Promise.allSettled([...this.#running]);
    await new Promise((resolve) => setImmediate(resolve));
    for (const client of this.#clients) client.end();
    await within(CLOSE_MS, isClosed);
  }

  #serve(socket: Socket): void {
    const { token, limits } = this.#options;
    if (this.#closed !== null || this.#clients.size >= limits.clients) {
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    const client: ServedClient = new ServedClient(socket, {
      token,
      limits,
      run: (request, accepted) => this.#run(request, accepted),
      onEnd: () => this.#clients.delete(client),
    });
    this.#clients.add(client);
  }

  async #run(request: ControlRequest, accepted: (slowestMs: number) => void): Promise<unknown> {
    const { session, folders, ready } = this.#options;
    const { signal } = this.#ending;
    const leave = isSteering(request) ? this.#line.enter(accepted) : null;
    const work = (): Promise<unknown> => runMethod(request, { session, folders, signal });
    const running = unlessAborted(leave === null ? work() : ready.then(work), signal);
    this.#running.add(running);
    try {
      return await running;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      throw new HotplugError("no-session", `Cannot ${request.method}: the session has ended`);
    } finally {
      this.#running.delete(running);
      leave?.();
    }
  }
}
