// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JSDoc has them

/** States of a server that its user is told of. */
const TOLD = ["error", "needs-auth", "needs-input"];

/** Tells the user what keeps tools away, once. */
export class Notices {
  #show;
  #hasRun = false;
  #isMissed = false;

  /**
   * @param {(message: string, type: "info" | "warning" | "error") => unknown} show
   */
  constructor(show) {
    this.#show = show;
  }

  /**
   * @param {import("./toolset.mjs").Status} status
   */
  add({ server, state, error }) {
    const why = error === null ? "" : `: ${error.message}`;
    if (server !== null) {
      if (TOLD.includes(state)) this.#show(`MCP server "${server}": ${state}${why}`, "warning");
    } else if (state === "failed") {
      this.#show(`MCP tools are unavailable${why}`, "error");
    } else if (state === "restarting" && !this.#isMissed) {
      this.#isMissed = true;
      this.#show(
        `MCP tools are ${this.#hasRun ? "started again" : "not there yet"}${why}`,
        "warning",
      );
    } else if (state === "running") {
      if (this.#isMissed) this.#show(`MCP tools are ${this.#hasRun ? "back" : "there"}`, "info");
      this.#hasRun = true;
      this.#isMissed = false;
    }
  }
}
