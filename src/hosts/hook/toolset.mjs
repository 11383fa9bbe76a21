// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import process from "node:process";
import { Arrival } from "./arrival.mjs";
import { LostError } from "./connection.mjs";
import { KeptConnection } from "./kept_connection.mjs";
import { compare, readTools } from "./tool_list.mjs";
import { messageOf, tell, unlessAborted, within } from "./waiting.mjs";

/** Milliseconds between two reads of the list, however often it is said to have changed. */
const LIST_GAP_MS = 100;

/** Milliseconds that a list may take. */
const LIST_MS = 30_000;

/** Times that a list is asked for again when it failed. */
const LIST_TRIES = 5;

/** Milliseconds that one `onRefresh` may take before the next is told. */
const REFRESH_MS = 10_000;

/**
 * What a call gave. A failure is told as a text that begins with `MCP error:`.
 *
 * @typedef {object} Result
 * @property {readonly Record<string, any>[]} content As the server sent it: text, images, …
 * @property {boolean} isError
 * @property {Record<string, unknown>} details What else the server sent, as `structuredContent`.
 */

/**
 * How a call is made.
 *
 * @typedef {object} CallOptions
 * @property {AbortSignal | undefined} [signal] Cancels the call, which then rejects with its reason.
 * @property {((progress: import("./connection.mjs").Progress) => unknown) | undefined} [onProgress]
 */

/**
 * How a server stands, or with `server: null` the `mcp` process itself: `starting`, `running`,
 * `restarting`, `failed` (tried again by the next call) or `closed`.
 *
 * @typedef {object} Status
 * @property {string | null} server
 * @property {string} state
 * @property {{ message: string, code?: string, hint?: string | null } | null} error
 */

/**
 * @typedef {object} ToolsetOptions
 * @property {string | undefined} [cwd] The workspace. Default: the current folder.
 * @property {readonly string[] | undefined} [program] Command line of `mcp`. Default: it is found.
 * @property {Readonly<Record<string, string>> | undefined} [env] Variables beyond the host's own.
 * @property {((diff: import("./tool_list.mjs").Diff) => unknown) | undefined} [onRefresh]
 * @property {((status: Status) => unknown) | undefined} [onStatus]
 * @property {number | undefined} [startMs] How long `mcp` may take to start. Default 15 s.
 * @property {number | undefined} [waitMs] How long the start waits for servers that were never seen
 * before. Default 10 s.
 * @property {number | undefined} [silenceMs] How long it may say nothing during a call. Default 20 s.
 */

/**
 * The tools of all MCP servers, kept current by a running `mcp serve`. While that is lost the tools
 * stay.
 */
export class Toolset {
  /** Grows whenever the tools differ; 0 until they are known. */
  generation = 0;
  /** @type {readonly import("./tool_list.mjs").ListedTool[]} */
  tools = [];
  #options;
  #kept;
  /** @type {import("./connection.mjs").Connection | null} Whose list is being read. */
  #reader = null;
  #isStale = false;
  #isOpen = false;
  #arrival = new Arrival();
  #told = Promise.resolve();
  /** @type {Status} */
  #state = { server: null, state: "starting", error: null };
  /** @type {Map<string, Status>} */
  #servers = new Map();

  /**
   * @param {ToolsetOptions} options
   */
  constructor(options) {
    const { program, cwd = process.cwd(), env, startMs = 15_000, silenceMs = 20_000 } = options;
    this.#options = options;
    this.#kept = new KeptConnection({
      program,
      surroundings: { cwd, env: { ...process.env, ...env } },
      startMs,
      silenceMs,
      prepare: (connection) => this.#readFirst(connection, startMs),
      onNotification: (...heard) => this.#hear(...heard),
      onState: (state, reason) =>
        this.#report({ server: null, state, error: reason === null ? null : { message: reason } }),
    });
  }

  /** How the process and each server stand. */
  status() {
    const { state, error } = this.#state;
    const pid = this.#kept.current?.pid ?? null;
    return { state, error, pid, generation: this.generation, servers: [...this.#servers.values()] };
  }

  /**
   * Starts `mcp`; settles when its tools are known, those of servers that were never seen before
   * included when they come in time. After a rejection it is tried again, until it is closed.
   */
  async start() {
    try {
      await this.#kept.connect();
      await this.#arrival.wait(this.#options.waitMs ?? 10_000);
    } finally {
      this.#isOpen = true;
    }
  }

  /**
   * Ends `mcp` and what it runs. Takes 5 s at most and never rejects; later calls wait for the
   * first.
   *
   * @returns {Promise<void>}
   */
  close() {
    this.#arrival.end();
    return this.#kept.close();
  }

  /**
   * Calls a tool. Rejects on an abort only; every other failure is a result.
   *
   * @param {string} name
   * @param {Record<string, unknown>} [args]
   * @param {CallOptions} [options]
   * @returns {Promise<Result>}
   */
  async call(name, args = {}, { signal, onProgress } = {}) {
    signal?.throwIfAborted();
    try {
      const connection = await unlessAborted(this.#kept.connect(), signal);
      const params = { name, arguments: args };
      const answer = await connection.request("tools/call", params, { signal, onProgress });
      const { content, isError, ...details } = answer;
      return { content: content ?? [], isError: isError === true, details };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof LostError
        ? `the mcp process ${error.message} during the call; whether "${name}" took effect is not known`
        : messageOf(error).replace(/^MCP error:? /, "");
      const text = `MCP error: ${reason}`;
      return { content: [{ type: "text", text }], isError: true, details: {} };
    }
  }

  /**
   * @param {import("./connection.mjs").Connection} connection
   * @param {string} method
   * @param {Record<string, any>} params
   */
  #hear(connection, method, params) {
    if (method === "notifications/tools/list_changed") {
      this.#listChanged(connection);
    } else if (method === "notifications/message" && params["logger"] === "dev.hotplug/status") {
      const { server, state, error = null } = params["data"] ?? {};
      if (typeof server !== "string") return;
      this.#report({ server, state: String(state), error });
      // Until the start is over it matters which servers have tools yet.
      if (!this.#isOpen) this.#listChanged(connection);
    }
  }

  /**
   * @param {import("./connection.mjs").Connection} connection
   */
  #listChanged(connection) {
    this.#isStale = true;
    if (this.#reader !== connection) this.#readAgain(connection);
  }

  /**
   * @param {import("./connection.mjs").Connection} connection
   * @param {number} limitMs
   */
  async #readFirst(connection, limitMs) {
    this.#reader = connection;
    this.#isStale = false;
    this.#take(await connection.listTools(limitMs));
    this.#reader = null;
    if (this.#isStale) this.#readAgain(connection);
  }

  /**
   * Reads the list until no change has been announced meanwhile. A list that fails leaves the old
   * one and is tried again.
   *
   * @param {import("./connection.mjs").Connection} connection
   */
  async #readAgain(connection) {
    this.#reader = connection;
    for (let failures = 0; this.#isStale && failures <= LIST_TRIES;) {
      this.#isStale = false;
      let pause = LIST_GAP_MS;
      try {
        this.#take(await connection.listTools(LIST_MS));
        failures = 0;
      } catch {
        this.#isStale = true;
        pause = LIST_GAP_MS * 10 * 2 ** failures++;
      }
      // The end of the process cuts it short: then its list is nobody's.
      if (await within(connection.ended, pause) !== null) return;
    }
    this.#reader = null;
  }

  /**
   * @param {{ tools: readonly Record<string, any>[], meta: Record<string, any> }} list
   */
  #take({ tools, meta }) {
    const servers = Object.entries(meta["dev.hotplug/servers"] ?? {});
    this.#servers = new Map(
      servers.map(([server, { state, error = null }]) => [server, { server, state, error }]),
    );
    const next = readTools(tools);
    if (!this.#isOpen) this.#arrival.look(servers, next);
    const diff = compare(this.tools, next);
    if (diff === null && this.generation > 0) return;
    this.tools = next;
    if (this.#isOpen || this.generation === 0) this.generation++;
    if (!this.#isOpen || diff === null) return;
    this.#told = this.#told.then(async () => {
      await within(tell(this.#options.onRefresh, diff), REFRESH_MS);
    });
  }

  /**
   * @param {Status} status
   */
  #report(status) {
    if (status.server === null) this.#state = status;
    else this.#servers.set(status.server, status);
    tell(this.#options.onStatus, status);
  }
}
