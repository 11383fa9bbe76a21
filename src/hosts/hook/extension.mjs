// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { modelContent, textOf } from "./model_content.mjs";
import { Notices } from "./notices.mjs";
import { Toolset } from "./toolset.mjs";
import { tell, within } from "./waiting.mjs";

/** Milliseconds that the host's start waits for the tools; later ones are added when they come. */
const START_MS = 8_000;

/** Milliseconds that the host's end waits for `mcp`, which ends by itself once the host is gone. */
const END_MS = 1_500;

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
  const tools = new HostTools(host, habits);
  host.on("session_start", (_event, context) => tools.start(context));
  host.on("session_shutdown", () => tools.end());
}

/** The tools in a host. Nothing in here throws into the host. */
class HostTools {
  #host;
  #habits;
  /** @type {Toolset | null} Those of the current session. */
  #toolset = null;
  /** @type {Map<string, string>} What the host was given under each name that it offers. */
  #offered = new Map();
  /** @type {Map<string, boolean>} Names that were withdrawn, and whether they were switched on. */
  #withdrawn = new Map();
  #exchanging = Promise.resolve();

  /**
   * @param {Host} host
   * @param {Habits} habits
   */
  constructor(host, habits) {
    this.#host = host;
    this.#habits = habits;
  }

  /**
   * @param {Context} context
   */
  async start({ cwd, ui }) {
    await this.end();
    const notices = new Notices((message, type) => {
      if (this.#toolset === toolset) tell(() => ui?.notify?.(message, type));
    });
    /** @type {Toolset} */
    const toolset = new Toolset({
      cwd,
      waitMs: START_MS,
      onRefresh: () => this.#offer(toolset),
      onStatus: (status) => {
        notices.add(status);
        if (status.state === "running") this.#offer(toolset);
      },
    });
    this.#toolset = toolset;
    await within(toolset.start().then(() => this.#offer(toolset), () => {}), START_MS);
  }

  async end() {
    const toolset = this.#toolset;
    this.#toolset = null;
    if (toolset !== null) await within(toolset.close(), END_MS);
  }

  /**
   * Offers the tools as they are now; one change after the other.
   *
   * @param {Toolset} toolset
   */
  #offer(toolset) {
    this.#exchanging = this.#exchanging.then(async () => {
      if (this.#toolset === toolset) await tell(() => this.#exchange(toolset.tools));
    });
    return this.#exchanging;
  }

  /**
   * @param {readonly import("./tool_list.mjs").ListedTool[]} tools
   */
  async #exchange(tools) {
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
          if (this.#toolset === null) throw new Error("MCP error: the session has ended");
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
}
