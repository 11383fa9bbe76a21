import {
  INTERNAL_ERROR,
  methodNotFound,
  RequestRefusal,
} from "../../connection/request_refusal.ts";
import type { AskAsker } from "../../model/forward.ts";
import type { HandlerContext, HostHandlers } from "../../model/host_handlers.ts";
import type { JsonObject } from "../../model/json.ts";
import { hostRefusal, QUESTIONS } from "./host_refusal.ts";
import { relayedQuestion } from "./relayed_question.ts";
import { type RunningCall, RunningCalls } from "./running_calls.ts";

/** A host of the legacy era, which can be asked and told something at any time. */
export interface AskableHost {
  /** What it can do, as it said when it opened the conversation. */
  readonly capabilities: JsonObject;
  /** Asks it for something that belongs to none of its requests. */
  readonly ask: AskAsker;
  /** Tells it something that belongs to none of its requests. */
  readonly tell: (method: string, params: JsonObject) => void;
}

/** Tells all servers but one that the roots of their host have changed. */
type TellRoots = (except: string | null) => void;

/** What a {@linkcode SessionBridge} works with. */
export interface SessionBridgeOptions {
  /** The hosts of the legacy era that the session is for. */
  readonly hosts: () => readonly AskableHost[];
  /** Told that the business of a page is done which a server has sent somebody to. */
  readonly onPageDone: (server: string, elicitationId: string) => void;
  /** Whether its servers are shared by hosts that know nothing of each other: none is asked. */
  readonly isShared: boolean;
}

/**
 * What the servers of one session ask the hosts behind the gateway, and tell them. A question goes to
 * the host whose request is behind it; one that belongs to no request to the host that is there.
 */
export class SessionBridge {
  /** The requests of hosts that run at its servers. */
  readonly calls: RunningCalls = new RunningCalls();
  readonly #options: SessionBridgeOptions;
  #rootsChanged: TellRoots = () => {};
  /** The roots that a host of the modern era has named last; `null` when it has named none. */
  #roots: JsonObject | null = null;
  /** Whether a server has asked for them when there were none. */
  #isOwed = false;

  /** Nothing is asked yet. */
  constructor(options: SessionBridgeOptions) {
    this.#options = options;
  }

  /** What the session's servers are answered by. */
  get handlers(): HostHandlers {
    return {
      request: (method, params, context) => this.#answer(method, params, context),
      urlElicitationComplete: (id, server) => this.#options.onPageDone(server, id),
    };
  }

  /** Notes how the session's servers are told that the roots of their host have changed. */
  onRootsChanged(tell: TellRoots): void {
    this.#rootsChanged = tell;
  }

  /** Tells the session's servers that the roots of their host have changed. */
  rootsChanged(): void {
    if (!this.#options.isShared) this.#rootsChanged(null);
  }

  /** Notes the roots that a host of the modern era has named to a server. */
  learnRoots(server: string, roots: JsonObject): void {
    if (this.#options.isShared) return;
    const isSame = JSON.stringify(roots["roots"]) === JSON.stringify(this.#roots?.["roots"]);
    this.#roots = roots;
    if (isSame && !this.#isOwed) return;
    this.#isOwed = false;
    this.#rootsChanged(server);
  }

  async #answer(
    method: string,
    params: JsonObject,
    { server, signal, call }: HandlerContext,
  ): Promise<JsonObject> {
    const { hosts, isShared } = this.#options;
    if (isShared) throw methodNotFound(method);
    const answer = await this.#askedInCall(server, call, method, params, signal);
    if (answer !== null) return answer;
    const host = hosts().at(-1);
    if (host !== undefined) return await askedHost(host, method, params, signal);
    if (!QUESTIONS.has(method)) throw methodNotFound(method);
    if (method === "roots/list") {
      if (this.#roots !== null) return this.#roots;
      this.#isOwed = true;
    }
    throw new RequestRefusal(
      INTERNAL_ERROR,
      "The client can be asked only while one of its requests runs",
    );
  }

  /**
   * The answer of the host whose request is behind a question. Where it is not sure to which of
   * several it belongs, the next one is asked when one is over before it is answered. `null` when
   * none runs any more.
   */
  async #askedInCall(
    server: string,
    call: object | null,
    ...question: Parameters<AskAsker>
  ): Promise<JsonObject | null> {
    const over = new Set<RunningCall>();
    for (;;) {
      const running = call === null
        ? this.calls.newest(server, over)
        : this.calls.known(server, call);
      if (running === null || over.has(running)) return null;
      try {
        return await running.ask(...question);
      } catch (thrown) {
        if (!(thrown instanceof CallIsOver)) throw thrown;
        over.add(running);
      }
    }
  }
}

/** The refusal of a question whose request is over before it is answered. */
export class CallIsOver extends RequestRefusal {
  /** Refuses it. */
  constructor() {
    super(INTERNAL_ERROR, "The request is over");
  }
}

/** Asks a host of the legacy era. Methods that only it may know are left to it. */
export async function askedHost(
  { capabilities, ask }: Pick<AskableHost, "capabilities" | "ask">,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const refusal = QUESTIONS.has(method) ? hostRefusal(capabilities, method, params) : null;
  if (refusal !== null) throw refusal;
  return await ask(method, relayedQuestion(params), signal);
}
