import { INTERNAL_ERROR, RequestRefusal } from "../../connection/request_refusal.ts";
import { abortedError } from "../../model/abort.ts";
import type { AskAsker, ForwardOptions } from "../../model/forward.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Clock } from "../../runtime/clock.ts";
import { hostRefusal } from "./host_refusal.ts";
import { inputRequest } from "./relayed_question.ts";
import type { HostedOptions } from "./running_calls.ts";
import { CallIsOver } from "./session_bridge.ts";

/** Milliseconds after a server's first question in which others that it asks at once join it. */
const GATHER_MS = 20;

/** Why nothing more can be asked. */
const OVER = "The call is over";

/** By which member the answer to each kind of question is known. */
const MARKS: Readonly<Record<string, string>> = {
  "elicitation/create": "action",
  "sampling/createMessage": "content",
  "roots/list": "roots",
};

/** The host's request that waits for a call now. */
export interface WaitingRequest {
  /** What the host can do, as it says with this request. */
  readonly capabilities: JsonObject;
  /** Told how far the call has come. */
  readonly onProgress: ForwardOptions["onProgress"];
  /** Gets what the server writes to its log because of the call. */
  readonly onLog: ForwardOptions["onLog"];
  /** Aborting it ends the call. */
  readonly signal: AbortSignal;
}

/** What an {@linkcode AskingCall} is made of. */
export interface AskingCallOptions {
  /** The host's request that it begins with. */
  readonly waiting: WaitingRequest;
  /** Sends it to the server. */
  readonly send: (
    options: Pick<HostedOptions, "signal" | "onProgress" | "onLog" | "ask" | "isAwaited">,
  ) => Promise<JsonObject>;
  /** Told of each answer that a host gives. */
  readonly onAnswer: (method: string, result: JsonObject) => void;
  /** Time. */
  readonly clock: Clock;
}

/** What a server asks and is not answered yet. */
interface Question {
  readonly method: string;
  readonly params: JsonObject;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (refusal: Error) => void;
}

/** How a call has ended. */
type Outcome = { readonly result: JsonObject } | { readonly thrown: unknown };

/**
 * One call of a host of the modern era at a server that asks in the middle of it. The host's request
 * ends with the questions, and the call goes on when another brings their answers.
 */
export class AskingCall {
  readonly #options: AskingCallOptions;
  readonly #over = new AbortController();
  readonly #open = new Map<string, Question>();
  #waiting: WaitingRequest;
  #isAwaited = true;
  #asked = 0;
  #outcome: Outcome | null = null;
  #changed = Promise.withResolvers<void>();
  #id: string | null = null;
  /** Ends the wait for further questions. */
  #settle = (): void => {};

  /** Sends it. */
  constructor(options: AskingCallOptions) {
    this.#options = options;
    this.#waiting = options.waiting;
    this.resume(options.waiting);
    const work = options.send({
      signal: this.#over.signal,
      onProgress: (...report) => this.#waiting.onProgress?.(...report),
      onLog: (params) => this.#waiting.onLog?.(params),
      ask: this.#ask,
      isAwaited: () => this.#isAwaited,
    });
    work.then((result) => this.#end({ result }), (thrown) => this.#end({ thrown }));
  }

  /** Names it, in what hosts send back. */
  get id(): string {
    return this.#id ??= crypto.randomUUID();
  }

  /** Lets another request of the host wait for it. */
  resume(waiting: WaitingRequest): void {
    this.#waiting = waiting;
    this.#isAwaited = true;
    if (waiting.signal.aborted) this.#abort();
    else waiting.signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** No request of the host waits for it any more. */
  park(): void {
    this.#waiting.signal.removeEventListener("abort", this.#abort);
    this.#waiting = { ...this.#waiting, onProgress: undefined, onLog: undefined };
    this.#isAwaited = false;
  }

  /**
   * The call's result, or `null` when the server asks first; see {@linkcode inputRequests}.
   * @throws what the call ends with; `aborted`.
   */
  async next(): Promise<JsonObject | null> {
    let hasGathered = false;
    for (;;) {
      const changed = this.#changed.promise;
      if (this.#outcome !== null) {
        if ("thrown" in this.#outcome) throw this.#outcome.thrown;
        return this.#outcome.result;
      }
      if (this.#open.size === 0) {
        hasGathered = false;
        await changed;
      } else if (hasGathered) {
        return null;
      } else {
        await this.#gathered();
        hasGathered = true;
      }
    }
  }

  /** Waits for what the server asks besides, or for the end of the call. */
  async #gathered(): Promise<void> {
    const settled = new AbortController();
    this.#settle = () => settled.abort();
    await this.#options.clock.delay(GATHER_MS, settled.signal);
  }

  /** What the server asks now, by key. */
  inputRequests(): JsonObject {
    return Object.fromEntries(
      [...this.#open].map(([key, { method, params }]) => [key, inputRequest(method, params)]),
    );
  }

  /** Gives the server the answers that it waits for; what answers nothing is left out. */
  answer(responses: JsonValue | undefined): void {
    if (!isJsonObject(responses)) return;
    for (const [key, { method, resolve }] of this.#open) {
      const result = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (!isJsonObject(result) || result[MARKS[method] ?? ""] === undefined) continue;
      this.#open.delete(key);
      this.#options.onAnswer(method, result);
      resolve(result);
    }
  }

  /** Gives it up: the server is told that nobody answers, and that nobody waits for its result. */
  end(why: string): void {
    this.#over.abort();
    // What it asked, if it was this call that did, is to be asked by no other.
    this.#refuse(new RequestRefusal(INTERNAL_ERROR, why));
  }

  readonly #abort = (): void => this.end("The request was cancelled");

  readonly #ask: AskAsker = async (method, params, signal) => {
    const refusal = hostRefusal(this.#waiting.capabilities, method, params);
    if (refusal !== null) throw refusal;
    if (signal.aborted) throw abortedError(signal);
    if (this.#over.signal.aborted) throw new CallIsOver();
    const key = `input-${++this.#asked}`;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    this.#open.set(key, { method, params, resolve, reject });
    this.#tell();
    const withdraw = (): void => {
      this.#open.delete(key);
      reject(abortedError(signal));
    };
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#open.delete(key);
    }
  };

  #end(outcome: Outcome): void {
    this.#outcome = outcome;
    this.park();
    // Without a reason an error would be made of it, for each call.
    this.#over.abort(OVER);
    if (this.#open.size > 0) this.#refuse(new CallIsOver());
    this.#settle();
    this.#tell();
  }

  #refuse(refusal: RequestRefusal): void {
    for (const { reject } of this.#open.values()) reject(refusal);
    this.#open.clear();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
