import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import type { AskAsker } from "../model/forward.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { unlessAborted } from "../model/abort.ts";
import { unmaskedError } from "./masking.ts";
import { withRoundSignal } from "./input_rounds.ts";
import { URL_ELICITATION_REQUIRED } from "./protocol_error.ts";
import { systemTimers } from "./timers.ts";

/** Milliseconds that a server gets to say that the page's business is done. */
const COMPLETE_MS = 60_000;

/** How pages are shown. */
export interface VisitOptions {
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** Shows one; `null` when there is nobody who could. */
  readonly ask: AskAsker | null;
}

/**
 * What to do about the error that a request ended with. When the server wants the user to visit
 * pages first and the host shows them: asks, waits until the server says that all is done, at most
 * one minute, and resolves when the request is to be sent again. Else it throws the error, with the
 * address as its hint where there is one.
 * @throws {HotplugError}
 */
export async function visitPages(
  connection: MCPServerConnection,
  thrown: unknown,
  { signal, ask }: VisitOptions,
): Promise<void> {
  const shown = pagesOf(thrown);
  const [first] = shown;
  if (first === undefined || !(thrown instanceof HotplugError)) throw thrown;
  if (ask === null) throw withHint(thrown, first);
  // With a secret replaced, such as the id of a client, the address would lead nowhere.
  const pages = pagesOf(unmaskedError(thrown));
  await withRoundSignal(connection, signal, async (round) => {
    const waits = pages.flatMap(({ elicitationId: id }) =>
      typeof id === "string" ? [connection.host.awaitComplete(id)] : []
    );
    try {
      for (const [index, page] of pages.entries()) {
        const asking = ask("elicitation/create", page, round.signal);
        const { action } = await unlessAborted(asking, round.signal);
        if (action !== "accept") throw withHint(thrown, shown[index] ?? first);
      }
      const done = Promise.all(waits.map((wait) => wait.done));
      await doneOrLate(done, round.signal);
      round.signal.throwIfAborted();
    } catch (failure) {
      if (round.signal.aborted) throw round.signal.reason;
      throw failure instanceof HotplugError ? failure : withHint(thrown, first);
    } finally {
      for (const wait of waits) wait.stop();
    }
  });
}

/** Resolves when it is done, it took too long, or the signal fires. */
function doneOrLate(done: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      stop();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const stop = systemTimers.after(COMPLETE_MS, finish);
    signal.addEventListener("abort", finish, { once: true });
    done.then(finish);
  });
}

function pagesOf(thrown: unknown): readonly JsonObject[] {
  if (!(thrown instanceof HotplugError) || thrown.code !== "protocol-error") return [];
  const { code, data } = thrown.details;
  if (code !== URL_ELICITATION_REQUIRED || !isJsonObject(data)) return [];
  const { elicitations } = data;
  const pages = Array.isArray(elicitations) ? elicitations.filter(isJsonObject) : [];
  return pages.filter((page) => typeof page["url"] === "string").map((page) => ({
    ...page,
    mode: "url",
  }));
}

function withHint(error: HotplugError, page: JsonObject): HotplugError {
  return new HotplugError(error.code, error.message, {
    hint: `Open ${String(page["url"])} and try again`,
    cause: error.cause,
    details: error.details,
  });
}
