// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { Connection, LostError } from "./connection.mjs";
import { findProgram } from "./program.mjs";
import { messageOf } from "./waiting.mjs";

/** Milliseconds before each new start of a process that was lost. */
const BACK_OFF = [500, 1_000, 2_000, 4_000, 8_000];

/** A process that ran so long, in milliseconds, was well: the next start is the first again. */
const WELL_MS = 10_000;

/**
 * Where `mcp` stands: `starting`, `running`, `restarting`, `failed` (tried again by the next call)
 * or `closed`; and why it does not run.
 *
 * @callback OnState
 * @param {string} state
 * @param {string | null} reason
 */

/**
 * @typedef {object} KeptOptions
 * @property {readonly string[] | undefined} program Command line of `mcp`; found when not given.
 * @property {import("./program.mjs").Surroundings} surroundings
 * @property {number} startMs How long the handshake may take.
 * @property {number} silenceMs See `Connection`.
 * @property {(connection: Connection) => Promise<void>} prepare What comes after the handshake.
 * @property {(connection: Connection, method: string, params: Record<string, any>) => void} onNotification
 * @property {OnState} onState
 */

/** A running `mcp serve`, started again when it is lost. */
export class KeptConnection {
  #options;
  #closing = new AbortController();
  /** @type {Promise<void> | null} */
  #closed = null;
  /** @type {readonly [string, ...string[]] | null} */
  #command = null;
  /** @type {Connection | null} */
  #current = null;
  /** @type {Promise<Connection> | null} */
  #starting = null;
  /** @type {Set<Connection>} */
  #running = new Set();
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {KeptOptions} options
   */
  constructor(options) {
    this.#options = options;
  }

  /** The connection that can be asked; `null` while there is none. */
  get current() {
    return this.#current;
  }

  /**
   * The connection that can be asked. Without one `mcp` is started at once, and when that fails
   * once more later, unless it was closed.
   *
   * @returns {Promise<Connection>}
   */
  async connect() {
    this.#closing.signal.throwIfAborted();
    if (this.#current !== null) return this.#current;
    clearTimeout(this.#timer);
    this.#starting ??= this.#begin();
    return await this.#starting;
  }

  /**
   * Ends `mcp` for good. Takes 5 s at most and never rejects; later calls wait for the first.
   *
   * @returns {Promise<void>}
   */
  close() {
    this.#closed ??= (async () => {
      this.#closing.abort(new Error("the tool set is closed"));
      clearTimeout(this.#timer);
      await Promise.all([...this.#running].map((connection) => connection.end()));
      this.#options.onState("closed", null);
    })();
    return this.#closed;
  }

  async #begin() {
    try {
      const connection = await this.#launch();
      this.#options.onState("running", null);
      return connection;
    } catch (error) {
      // It may have been moved: the next time it is looked for again.
      this.#command = null;
      this.#startLater(messageOf(error));
      throw error;
    } finally {
      this.#starting = null;
    }
  }

  async #launch() {
    const { program, surroundings, startMs, silenceMs, prepare, onNotification } = this.#options;
    const { signal } = this.#closing;
    const command = this.#command ?? await findProgram(program, surroundings, signal);
    signal.throwIfAborted();
    this.#command = command;
    const connection = new Connection(command, {
      ...surroundings,
      silenceMs,
      onNotification: (method, params) => onNotification(connection, method, params),
    });
    this.#running.add(connection);
    connection.ended.then(() => this.#running.delete(connection));
    try {
      await connection.initialize(startMs);
      await prepare(connection);
    } catch (error) {
      signal.throwIfAborted();
      connection.kill();
      const reason = error instanceof LostError ? `it ${error.message}` : messageOf(error);
      const said = connection.lastWords;
      throw new Error(`Cannot start "${command[0]}": ${reason}${said === "" ? "" : `: ${said}`}`);
    }
    this.#current = connection;
    const since = Date.now();
    connection.ended.then((reason) => {
      this.#current = null;
      if (Date.now() - since >= WELL_MS) this.#failures = 0;
      this.#startLater(`the mcp process ${reason}`);
    });
    return connection;
  }

  /**
   * @param {string} reason
   */
  #startLater(reason) {
    if (this.#closing.signal.aborted) return;
    const pause = BACK_OFF[this.#failures++];
    this.#options.onState(pause === undefined ? "failed" : "restarting", reason);
    if (pause === undefined) return;
    this.#timer = setTimeout(() => this.connect().catch(() => {}), pause);
  }
}
