import type { Frame, FrameId } from "../connection/frames.ts";
import { isAbortError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { Progress } from "../model/tool.ts";
import { ChangeNotices } from "./change_notices.ts";
import type { Gateway } from "./gateway.ts";
import { emptySession, type HostOpening } from "./gateway_session.ts";
import { hostFrames } from "./host_frames.ts";
import type { Method } from "./host_request.ts";
import { ListenStreams } from "./listen_streams.ts";
import { METHODS, PROMPT_METHODS } from "./methods.ts";
import { versionRefusal } from "./protocol_versions.ts";
import { type RequestMeta, requestMeta } from "./request_meta.ts";
import {
  type Answer,
  answerMessage,
  INTERNAL_ERROR,
  methodNotFound,
  notificationMessage,
  refused,
} from "./rpc.ts";
import { StatusNotices } from "./status_notices.ts";

/** What a {@linkcode Conversation} is made of. */
export interface ConversationOptions {
  /** What is behind it. */
  readonly gateway: Gateway;
  /** Sends a message to the host; `false` when it cannot be written as text. Must not throw. */
  readonly send: (message: JsonObject) => boolean;
  /** Whether the host is told what becomes of each server. */
  readonly tellsStatus: boolean;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** A session for requests that need none. */
const NO_SESSION = emptySession({ code: "no-session", message: "No session", hint: null });

/**
 * The conversation with one host, in whichever era each of its requests is. Requests are answered
 * as soon as each can be, in any order; nothing that a host sends ends it.
 */
export class Conversation {
  readonly #options: ConversationOptions;
  /** What runs, by its end and not by its id: nothing keeps a host from giving one twice. */
  readonly #running = new Map<AbortController, FrameId>();
  readonly #ended = new AbortController();
  readonly #streams: ListenStreams;
  readonly #notices: ChangeNotices;
  readonly #status: StatusNotices | null;
  readonly #unlisten: () => void;
  /** Whether a host of the legacy era has finished its initialisation. */
  #isInitialised = false;

  /** Begins to tell of changes. */
  constructor(options: ConversationOptions) {
    const { gateway, send, tellsStatus } = options;
    this.#options = options;
    this.#streams = new ListenStreams(send);
    const status = tellsStatus ? new StatusNotices(send) : null;
    this.#status = status;
    const notices = new ChangeNotices({
      mayTell: () => this.#isInitialised || this.#streams.hearsTools,
      tell: () => this.#toolsChanged(),
      profile: gateway.profile,
      clock: gateway.clock,
      ended: this.#ended.signal,
    });
    this.#notices = notices;
    this.#unlisten = gateway.listen({
      refresh: (toolSet) => notices.refresh(toolSet),
      serverChanged: (view) => status?.changed(view),
    });
  }

  /** Takes one line of the host. Never throws. */
  take(line: string): void {
    for (const frame of hostFrames(line)) {
      if (this.#ended.signal.aborted) return;
      if (frame.kind === "invalid") {
        this.#answer(frame.id, refused(frame.code, frame.message));
      } else if (frame.kind === "request") void this.#request(frame);
      else if (frame.kind === "notification") this.#notified(frame.method, frame.params);
    }
  }

  /** Ends it: what still runs is cancelled and not answered any more. Idempotent. */
  close(): void {
    if (this.#ended.signal.aborted) return;
    this.#streams.end();
    this.#ended.abort();
    this.#unlisten();
    for (const controller of this.#running.keys()) controller.abort();
    this.#running.clear();
  }

  async #request(frame: Frame & { readonly kind: "request" }): Promise<void> {
    const { id, method, params } = frame;
    const meta = requestMeta(params);
    const prompt = PROMPT_METHODS.get(method);
    const handler = prompt ?? METHODS.get(method);
    const refusal = versionRefusal(meta.version) ??
      (handler === undefined ? methodNotFound(method) : null);
    if (refusal !== null || handler === undefined) {
      return this.#answer(id, refusal ?? methodNotFound(method));
    }
    const controller = new AbortController();
    this.#running.set(controller, id);
    let answer: Answer | null;
    try {
      answer = await this.#handled(handler, prompt === undefined, frame, meta, controller.signal);
      // A host that listens may be told now what it is owed.
      if (answer === null) this.#notices.ready();
    } catch (thrown) {
      answer = isAbortError(thrown) ? null : this.#failed(method, thrown);
    }
    this.#running.delete(controller);
    if (answer !== null && !controller.signal.aborted) this.#answer(id, answer);
  }

  async #handled(
    handler: Method,
    needsSession: boolean,
    { id, method, params }: Frame & { readonly kind: "request" },
    meta: RequestMeta,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const { gateway } = this.#options;
    const session = needsSession
      ? await gateway.session(openingOf(method, params, meta))
      : NO_SESSION;
    return await handler({
      id,
      params,
      meta,
      isModern: meta.version !== null || method === "server/discover",
      signal,
      onProgress: this.#progressOf(meta),
      gateway,
      session,
      streams: this.#streams,
      onListed: (generation) => this.#notices.listed(generation),
    });
  }

  #progressOf({ progressToken }: RequestMeta): ((progress: Progress) => void) | undefined {
    if (progressToken === null) return undefined;
    return (progress) => {
      this.#send(notificationMessage("notifications/progress", { progressToken, ...progress }));
    };
  }

  #notified(method: string, params: JsonObject): void {
    switch (method) {
      case "notifications/initialized":
        this.#isInitialised = true;
        this.#status?.ready();
        return this.#notices.ready();
      case "notifications/cancelled": {
        const { requestId } = params;
        if (typeof requestId !== "string" && typeof requestId !== "number") return;
        // Hosts also cancel what was answered: there is nothing to do then.
        if (this.#streams.cancel(requestId)) return;
        for (const [controller, id] of this.#running) if (id === requestId) controller.abort();
      }
    }
  }

  #toolsChanged(): void {
    if (this.#isInitialised) {
      this.#send(notificationMessage("notifications/tools/list_changed"));
    }
    this.#streams.toolsChanged();
  }

  #failed(method: string, thrown: unknown): Answer {
    const cause = thrown instanceof Error ? thrown.message : String(thrown);
    this.#options.log.log("error", "A request of the host failed here", { method, cause });
    return refused(INTERNAL_ERROR, "Internal error");
  }

  #answer(id: FrameId | null, answer: Answer): void {
    if (this.#send(answerMessage(id, answer))) return;
    this.#send(answerMessage(id, refused(INTERNAL_ERROR, "The answer is too large to be sent")));
  }

  #send(message: JsonObject): boolean {
    return this.#ended.signal.aborted || this.#options.send(message);
  }
}

/** What a request says of its host, when it opens the conversation. */
function openingOf(method: string, params: JsonObject, meta: RequestMeta): HostOpening {
  const given = method === "initialize" ? params : { ...meta };
  const { clientInfo, capabilities } = given as JsonObject;
  return {
    clientInfo: isJsonObject(clientInfo) ? clientInfo : null,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}
