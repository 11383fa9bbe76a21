// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them
import { within } from "./waiting.mjs";

/** Milliseconds in which the tools of a server that has just connected come into the list. */
const COMING_MS = 500;

/** When the tools of all servers have arrived, those that were never seen before included. */
export class Arrival {
  /** @type {(value?: unknown) => void} */
  #complete = () => {};
  #completed = new Promise((resolve) => this.#complete = resolve);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * Settles when they have, and after that time in any case.
   *
   * @param {number} ms
   */
  async wait(ms) {
    await within(this.#completed, ms);
    clearTimeout(this.#timer);
  }

  /** Nobody has to wait any longer. */
  end() {
    this.#complete();
  }

  /**
   * Looks at a list.
   *
   * @param {readonly [string, Record<string, any>][]} servers Each server's name, and how it stands.
   * @param {readonly import("./tool_list.mjs").ListedTool[]} tools
   */
  look(servers, tools) {
    const isOnItsWay = servers.some(([, one]) =>
      one["state"] === "connecting" && one["tools"] === null
    );
    if (isOnItsWay) return;
    const listed = new Set(tools.map(({ server }) => server));
    const isComplete = servers.every(([name, one]) =>
      one["state"] !== "connected" || !one["tools"] || listed.has(name)
    );
    if (isComplete) this.#complete();
    else this.#timer ??= setTimeout(this.#complete, COMING_MS);
  }
}
