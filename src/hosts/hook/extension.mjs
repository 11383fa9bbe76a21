// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { modelContent, textOf } from "./model_content.mjs";
import { Toolset } from "./toolset.mjs";
import { tell, within } from "./waiting.mjs";

/** Milliseconds that the host's start waits for the tools; later ones are added when they come. */
const START_MS = 8_000;

/** Milliseconds that the host's end waits for `mcp`, which ends by itself once the host is gone. */
const END_MS = 1_500;

/** States of a server that its user is told of. */
const TOLD = ["error", "needs-auth", "needs-input"];

/**
 * What is used of the host.
 *
 * @typedef {object} Host
 * @property {(event: string, handler: (event: unknown, context: Context) => unknown) => unknown} on
 * @property {(tool: HostTool) => unknown} registerTool
 * @property {() => string[]} getActiveTools
 * @property {(names: string[]) => unknown} setActiveTools
 */

/**
 * @typedef {object} Context
 * @property {string} [cwd]
 * @property {{ notify?: (message: string, type?: "info" | "warning" | "error") => unknown }} [ui]
 */

/**
 * @typedef {object} HostTool
 * @property {string} name
 * @property {string} label
 * @property {string} description
 * @property {Record<string, unknown>} parameters
 * @property {(id: string, args: Record<string, unknown>, signal?: AbortSignal, onUpdate?: (result: HostResult) => unknown) => Promise<HostResult>} execute
 */

/**
 * @typedef {object} HostResult
 * @property {readonly import("./model_content.mjs").ModelContent[]} content
 * @property {Record<string, unknown>} details
 */

/**
 * @typedef {object} Habits
 * @property {object} toolFields What each tool has to say to this host.
 * @property {boolean} activates Whether the host offers a tool to its model once it is registered.
 */

/**
 * Gives a host the tools from the start of each of its sessions to the end.
 *
 * @param {Host} host
 * @param {Habits} habits
 */
export function serveHost(host, habits) {
  /** @type {HostSession | null} */
  let session = null;
  const end = async () => {
    const ending = session;
    session = null;
    await ending?.end();
  };
  host.on("session_start", async (_event, context) => {
    await end();
    session = new HostSession(host, habits, context);
    await session.start();
  });
  host.on("session_shutdown", end);
}

/** The tools in one session of the host. Nothing in here throws into the host. */
class HostSession {
  #host;
  #habits;
  #context;
  #toolset;
  #isOver = false;
  /** Names that the host knows, and whether the model is offered them; the others are withdrawn. */
  #offered = /** @type {Map<string, string>} */ (new Map());
  /** Names that were withdrawn, and whether the user had them switched on then. */
  #withdrawn = /** @type {Map<string, boolean>} */ (new Map());
  #offering = Promise.resolve();
  #isBack = true;

  /**
   * @param {Host} host
   * @param {Habits} habits
   * @param {Context} context
   */
  constructor(host, habits, context) {
    this.#host = host;
    this.#habits = habits;
    this.#context = context;
    this.#toolset = new Toolset({
      cwd: context.cwd,
      onRefresh: () => this.#offer(),
      onStatus: (status) => this.#explain(status),
    });
  }

  async start() {
    const started = this.#toolset.start().then(() => this.#offer(), () => {});
    await within(started, START_MS);
  }

  async end() {
    this.#isOver = true;
    await within(this.#toolset.close(), END_MS);
  }

  /** Offers the tools as they are now; one change after the other. */
  #offer() {
    this.#offering = this.#offering.then(() => tell(() => this.#exchange()));
    return this.#offering;
  }

  async #exchange() {
    if (this.#isOver) return;
    const tools = this.#toolset.tools;
    const names = new Set(tools.map(({ name }) => name));
    /** @type {string[]} */
    const on = [];
    for (const tool of tools) {
      const text = JSON.stringify(tool);
      const before = this.#offered.get(tool.name);
      if (before === text) continue;
      this.#register(tool);
      this.#offered.set(tool.name, text);
      // The host does not switch on again what it knows: what the user switched off stays off.
      const wasOn = this.#withdrawn.get(tool.name) ?? !this.#habits.activates;
      if (before === undefined && wasOn) on.push(tool.name);
      this.#withdrawn.delete(tool.name);
    }
    const active = this.#host.getActiveTools();
    const gone = [...this.#offered.keys()].filter((name) => !names.has(name));
    for (const name of gone) {
      this.#offered.delete(name);
      this.#withdrawn.set(name, active.includes(name));
    }
    const wanted = [...new Set([...active.filter((name) => !gone.includes(name)), ...on])];
    if (wanted.join("\n") !== active.join("\n")) await this.#host.setActiveTools(wanted);
  }

  /**
   * @param {import("./tool_list.mjs").ListedTool} tool
   */
  #register({ name, description, parameters, server }) {
    tell(() =>
      this.#host.registerTool({
        ...this.#habits.toolFields,
        name,
        label: name,
        description,
        parameters,
        execute: async (_id, args, signal, onUpdate) => {
          const result = await this.#toolset.call(name, args, {
            signal,
            onProgress: ({ progress, total, message }) =>
              onUpdate?.({
                content: [{ type: "text", text: message ?? `${progress} of ${total ?? "?"}` }],
                details: { server },
              }),
          });
          const content = modelContent(result);
          // Both hosts take a thrown error for the failed call that the model is told of.
          if (result.isError) throw new Error(textOf(content) || "MCP error: the tool failed");
          return { content, details: { server } };
        },
      })
    );
  }

  /**
   * Tells the user what keeps tools away.
   *
   * @param {import("./toolset.mjs").Status} status
   */
  #explain({ server, state, error }) {
    const why = error === null ? "" : `: ${error.message}`;
    if (server !== null) {
      if (TOLD.includes(state)) this.#notify(`MCP server "${server}": ${state}${why}`, "warning");
    } else if (state === "failed") {
      this.#notify(`MCP tools are unavailable${why}`, "error");
    } else if (state === "restarting" && this.#isBack) {
      this.#isBack = false;
      this.#notify(`MCP tools are started again${why}`, "warning");
    } else if (state === "running" && !this.#isBack) {
      this.#isBack = true;
      this.#notify("MCP tools are back", "info");
    }
  }

  /**
   * @param {string} message
   * @param {"info" | "warning" | "error"} type
   */
  #notify(message, type) {
    if (!this.#isOver) tell(() => this.#context.ui?.notify?.(message, type));
  }
}
