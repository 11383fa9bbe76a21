import { setImmediate } from "node:timers";
import { HotplugError } from "../model/errors.ts";
import type { BeforeCallEvent, EventHooks } from "../model/event_hooks.ts";
import type { JsonObject } from "../model/json.ts";
import { askBeforeCall } from "./ask_before.ts";

/** The questions about calls that hooks have not answered yet: all of them can be ended. */
export class CallQuestions {
  readonly #open = new Set<Promise<JsonObject>>();
  #ending = new AbortController();

  /**
   * Asks hooks, one after the other, whether a tool may be called, and gives the arguments that they
   * leave.
   * @throws {HotplugError} `blocked-by-hook`, `hook-failed`; `aborted` when the signal fires;
   * `not-connected` when all is ended meanwhile.
   */
  async ask(
    hooks: readonly EventHooks[],
    event: BeforeCallEvent,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { server, tool } = event;
    const ending = this.#ending.signal;
    const either = signal === undefined ? ending : AbortSignal.any([signal, ending]);
    const question = askBeforeCall(hooks, event, { signal: either });
    this.#open.add(question);
    try {
      return await question;
    } catch (thrown) {
      if (!ending.aborted || signal?.aborted === true) throw thrown;
      throw new HotplugError(
        "not-connected",
        `Cannot call "${tool}" of "${server}": all was ended`,
      );
    } finally {
      this.#open.delete(question);
    }
  }

  /** Ends all that are open; others may be asked afterwards. Never rejects. */
  async end(): Promise<void> {
    this.#ending.abort();
    this.#ending = new AbortController();
    await Promise.allSettled([...this.#open]);
    // Whoever asked tells of it first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
