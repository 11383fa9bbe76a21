import type { Logger } from "../model/log.ts";
import type { ServerView } from "../model/server_view.ts";
import { startWarnings } from "./start_warnings.ts";

/** Writes for whoever runs a gateway why servers give nothing. */
export class UnavailableLog {
  readonly #log: Logger;
  /** What was written last of each server. */
  readonly #written = new Map<string, string>();

  /** Nothing is written yet. */
  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Writes what no event of a server will tell, once the files were read.
   * @param isPart Whether hosts may have others of their own.
   */
  atStart(servers: readonly ServerView[], isPart: boolean): void {
    const { waiting, nothing } = startWarnings(servers, isPart);
    for (const view of waiting) this.row(view);
    if (nothing === null) return;
    const hint = "mcp sources shows what was read, mcp add declares one, mcp status shows all";
    this.#log.log("warn", nothing, { hint });
  }

  /** Writes why a server gives no tools, once as long as it is the same. */
  row({ name, state, error }: ServerView): void {
    if (state === "connected") this.#written.delete(name);
    // One that is left out is so by what the user has set.
    if (error === null || state === "filtered") return;
    if (this.#written.get(name) === error.message) return;
    this.#written.set(name, error.message);
    const { message, hint } = error;
    this.#log.log("warn", "MCP unavailable", { server: name, state, error: message, hint });
  }
}
