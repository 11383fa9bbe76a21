// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { Child } from "./child.mjs";
import { HOST, VERSION } from "./installation.mjs";
import { SilenceWatch } from "./silence_watch.mjs";
import { tell, unlessAborted, within } from "./waiting.mjs";

/** Revision of MCP that is asked for. */
const PROTOCOL = "2025-11-25";

/** JSON-RPC's code for a method that is not known. */
const METHOD_NOT_FOUND = -32601;

/** Most pages of a list that are read. */
const MOST_PAGES = 1_000;

/** @typedef {Record<string, any>} Data A JSON object. */

/**
 * How far a call is.
 *
 * @typedef {object} Progress
 * @property {number} progress
 * @property {number} [total]
 * @property {string} [message]
 */

/**
 * What a request takes.
 *
 * @typedef {object} RequestOptions
 * @property {AbortSignal | undefined} [signal] Cancels it.
 * @property {((progress: Progress) => unknown) | undefined} [onProgress]
 * @property {number} [limitMs] How long the answer may take. Default: for ever.
 */

/** The `mcp` process is gone: whether it did what it was asked for is not known. */
export class LostError extends Error {}

/** MCP over one run of the program. */
export class Connection {
  #child;
  #onNotification;
  #nextId = 1;
  /** @type {Map<number, { resolve: (result: Data) => void, reject: (error: Error) => void, onProgress: RequestOptions["onProgress"] }>} */
  #pending = new Map();
  #watch;
  /** @type {string | null} */
  #lost = null;

  /**
   * @param {readonly [string, ...string[]]} command
   * @param {object} options
   * @param {string} options.cwd
   * @param {Readonly<Record<string, string | undefined>>} options.env
   * @param {(method: string, params: Data) => void} options.onNotification
   * @param {number} options.silenceMs How long it may say nothing during a call.
   */
  constructor(command, { cwd, env, onNotification, silenceMs }) {
    this.#onNotification = onNotification;
    this.#watch = new SilenceWatch({
      silenceMs,
      ask: () => this.#send({ id: "alive", method: "ping" }),
      giveUp: () => this.#child.kill("no longer answered"),
    });
    this.#child = new Child([...command, "serve", "--for", HOST], {
      cwd,
      env,
      onLine: (line) => this.#read(line),
    });
    /** Why the process is gone; settles once and never rejects. */
    this.ended = this.#child.ended.then((reason) => {
      this.#lose(reason);
      return reason;
    });
  }

  /** Process id; `null` when it does not run. */
  get pid() {
    return this.#child.pid;
  }

  /** The end of what the process wrote to stderr. */
  get lastWords() {
    return this.#child.lastWords;
  }

  /**
   * The handshake.
   *
   * @param {number} limitMs
   */
  async initialize(limitMs) {
    await this.request("initialize", {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: `hotplug-${HOST}`, version: VERSION },
    }, { limitMs });
    this.#send({ method: "notifications/initialized" });
  }

  /**
   * The whole list of tools as received, and what is said about the servers.
   *
   * @param {number} limitMs How long each page may take.
   * @returns {Promise<{ tools: readonly Data[], meta: Data }>}
   */
  async listTools(limitMs) {
    /** @type {Data[]} */
    const tools = [];
    /** @type {Data} */
    let meta = {};
    /** @type {unknown} */
    let cursor;
    const seen = new Set();
    do {
      seen.add(cursor);
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.request("tools/list", params, { limitMs });
      if (Array.isArray(page["tools"])) tools.push(...page["tools"]);
      meta = { ...meta, ...page["_meta"] };
      cursor = page["nextCursor"];
    } while (typeof cursor === "string" && !seen.has(cursor) && seen.size < MOST_PAGES);
    return { tools, meta };
  }

  /**
   * Asks and waits for the answer. Rejects with `LostError` when the process is gone, with the
   * signal's reason on an abort, and with the message of an error answer.
   *
   * @param {string} method
   * @param {Data} params
   * @param {RequestOptions} [options]
   * @returns {Promise<Data>}
   */
  async request(method, params, { signal, onProgress, limitMs } = {}) {
    signal?.throwIfAborted();
    if (this.#lost !== null) throw new LostError(this.#lost);
    const id = this.#nextId++;
    /** @type {Promise<Data>} */
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress });
    });
    const sent = onProgress === undefined
      ? params
      : { ...params, _meta: { ...params["_meta"], progressToken: id } };
    if (limitMs === undefined) this.#watch.begin();
    this.#send({ id, method, params: sent });
    try {
      const waited = limitMs === undefined ? answer : within(answer, limitMs);
      const result = await unlessAborted(waited, signal);
      if (result === null) throw new Error(`no answer to "${method}" within ${limitMs} ms`);
      return result;
    } catch (error) {
      // Still pending: it is given up here, not answered there.
      if (this.#pending.has(id) && method !== "initialize") {
        const reason = signal?.aborted ? "Aborted" : "Given up";
        this.#send({ method: "notifications/cancelled", params: { requestId: id, reason } });
      }
      throw error;
    } finally {
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#watch.end();
    }
  }

  /** Ends the process; what is pending fails at once. Takes 4.5 s at most and never rejects. */
  async end() {
    this.#lose("was closed");
    await this.#child.end();
  }

  /** Ends the process at once. */
  kill() {
    this.#child.kill("was ended");
  }

  /**
   * @param {string} reason
   */
  #lose(reason) {
    this.#lost ??= reason;
    for (const { reject } of [...this.#pending.values()]) reject(new LostError(this.#lost));
  }

  /**
   * @param {Data} message
   */
  #send(message) {
    this.#child.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /**
   * @param {string} line
   */
  #read(line) {
    this.#watch.hear();
    const message = parsed(line);
    if (message === null) return;
    const { id, method, params = {}, result, error } = message;
    if (typeof method !== "string") this.#settle(id, result, error);
    else if (id !== undefined) this.#answer(id, method);
    else if (method !== "notifications/progress") this.#onNotification(method, params);
    else tell(this.#pending.get(params.progressToken)?.onProgress, params);
  }

  /**
   * @param {number} id
   * @param {Data | undefined} result
   * @param {Data | undefined} error
   */
  #settle(id, result, error) {
    const request = this.#pending.get(id);
    if (request === undefined) return;
    if (error === undefined) request.resolve(result ?? {});
    else request.reject(new Error(String(error["message"] ?? "unknown error")));
  }

  /**
   * Answers what `mcp` asks: only whether anybody is there.
   *
   * @param {string | number} id
   * @param {string} method
   */
  #answer(id, method) {
    if (method === "ping") this.#send({ id, result: {} });
    else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
  }
}

/**
 * @param {string} line
 * @returns {Data | null}
 */
function parsed(line) {
  try {
    const message = JSON.parse(line);
    return typeof message === "object" ? message : null;
  } catch {
    return null;
  }
}
