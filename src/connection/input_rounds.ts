import { abortedError, unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError, isAbortError } from "../model/errors.ts";
import type { AskAsker } from "../model/forward.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { LONGEST_CALL } from "./pending_requests.ts";
import { refusalOf } from "./request_refusal.ts";
import { delay, systemTimers, type Timers } from "./timers.ts";

/** How often a server may answer one request with questions instead of a result. */
export const MOST_ROUNDS: number = 10;

/** Milliseconds before a request is sent again that the server only put off. */
const PUT_OFF_MS = 250;

/** What the questions of one result are answered for. */
export interface InputOptions {
  /** The request that the server answered so. */
  readonly method: string;
  /** Its params. */
  readonly params: JsonObject;
  /** Aborting it ends the questions and their handlers. */
  readonly signal: AbortSignal | undefined;
  /** Answers them. */
  readonly ask: AskAsker;
  /** The clock. Default: the machine's. */
  readonly timers?: Timers | undefined;
}

/**
 * The params to send a request again with, after a result of `input_required` (2026-07-28): the
 * host's answers to all that it asks for, side by side, and its `requestState` as received. The
 * user gets ten minutes, and no time-out of the request runs meanwhile: it begins anew each round.
 * @throws {HotplugError} `protocol-error` naming what cannot be answered; `request-timeout` when it
 * is not answered in time; `aborted`.
 */
export async function answeredParams(
  connection: MCPServerConnection,
  result: JsonObject,
  options: InputOptions,
): Promise<JsonObject> {
  const { method, signal, timers = systemTimers } = options;
  // Those of an earlier round have been taken.
  const { inputResponses: _, requestState: __, ...params } = options.params;
  const { inputRequests, requestState } = result;
  const requests = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  const state = requestState === undefined ? {} : { requestState };
  if (requests.length === 0) {
    if (requestState === undefined) {
      throw unanswered(connection, method, "it asks for input and does not say for what", []);
    }
    await delay(timers, PUT_OFF_MS, signal).catch(() => {
      throw abortedError(signal);
    });
    return { ...params, ...state };
  }
  const inputResponses = await withRoundSignal(connection, signal, async (round) => {
    const answers = requests.map(async ([key, request]) =>
      [key, await answer(connection, request, { ...options, signal: round.signal })] as const
    );
    // One that fails fails all, and the others' handlers need not go on.
    for (const one of answers) one.catch((error) => round.abort(error));
    return Object.fromEntries(await Promise.all(answers));
  }, timers);
  return { ...params, inputResponses, ...state };
}

/**
 * Runs work of the host with a signal that fires when the caller aborts, the connection ends, one
 * part fails or ten minutes have passed: as long as a question of the legacy era may stop a call.
 */
export async function withRoundSignal<Value>(
  connection: MCPServerConnection,
  signal: AbortSignal | undefined,
  work: (round: AbortController) => Promise<Value>,
  timers: Timers = systemTimers,
): Promise<Value> {
  if (signal?.aborted === true) throw abortedError(signal);
  const round = new AbortController();
  const onAbort = (): void => round.abort(abortedError(signal));
  signal?.addEventListener("abort", onAbort, { once: true });
  const { ended } = connection.host;
  const onEnd = (): void => round.abort(ended.reason);
  ended.addEventListener("abort", onEnd, { once: true });
  if (ended.aborted) onEnd();
  const stop = timers.after(LONGEST_CALL, () => round.abort(unansweredInTime(connection)));
  try {
    return await work(round);
  } finally {
    stop();
    ended.removeEventListener("abort", onEnd);
    signal?.removeEventListener("abort", onAbort);
  }
}

function unansweredInTime({ name }: MCPServerConnection): HotplugError {
  return new HotplugError(
    "request-timeout",
    `Cannot go on with a request to "${name}": what it asked for was not answered within 10 minutes`,
  );
}

/** The error for a request that the server answered with questions for too long. */
export function tooManyRounds(connection: MCPServerConnection, method: string): HotplugError {
  return unanswered(connection, method, `it still asks for input after ${MOST_ROUNDS} rounds`, []);
}

async function answer(
  connection: MCPServerConnection,
  request: JsonValue | undefined,
  { method, ask, signal }: InputOptions & { readonly signal: AbortSignal },
): Promise<JsonObject> {
  const asked = isJsonObject(request) ? request["method"] : undefined;
  if (!isJsonObject(request) || typeof asked !== "string") {
    throw unanswered(connection, method, "it asks for something without a method", []);
  }
  const params = isJsonObject(request["params"]) ? request["params"] : {};
  try {
    return await unlessAborted(ask(asked, params, signal), signal);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (isAbortError(thrown)) throw thrown;
    const { message } = refusalOf(thrown);
    const mode = asked === "elicitation/create"
      ? ` (${params["mode"] === "url" ? "url" : "form"})`
      : "";
    throw unanswered(
      connection,
      method,
      `it asks for "${asked.slice(0, 100)}"${mode}, which was not answered: ${message}`,
      [asked],
      thrown,
    );
  }
}

function unanswered(
  { name }: MCPServerConnection,
  method: string,
  why: string,
  requests: readonly string[],
  cause?: unknown,
): HotplugError {
  return new HotplugError("protocol-error", `Cannot finish "${method}" on "${name}": ${why}`, {
    cause,
    details: { resultType: "input_required", requests },
  });
}
