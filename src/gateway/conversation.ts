import type { Frame, FrameId } from "../connection/frames.ts";
import { unlessAborted } from "../model/abort.ts";
import { isAbortError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import { forwardRequest } from "./bridge/forward_request.ts";
import { ChangeNotices } from "./change_notices.ts";
import type { Gateway } from "./gateway.ts";
import type { HostOpening } from "./gateway_session.ts";
import { Host, type HostIdentity, type HostLink, ONLY_HOST } from "./host.ts";
import { HostAsks } from "./host_asks.ts";
import { HostLists } from "./host_lists.ts";
import { HostLogs } from "./host_logs.ts";
import { type HostFrame, hostFrames } from "./host_frames.ts";
import type { HostRequest, OpeningRequest } from "./host_request.ts";
import { type ChangingList, ListenStreams } from "./listen_streams.ts";
import { METHODS, OPENING_METHODS } from "./methods.ts";
import { HostSubscriptions } from "./offer/host_subscriptions.ts";
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

/** Why what still runs is cancelled when a conversation ends. */
const OVER = "The conversation is over";

/** What a {@linkcode Conversation} is made of. */
export interface ConversationOptions {
  /** What is behind it. */
  readonly gateway: Gateway;
  /** The way to the host. */
  readonly link: HostLink;
  /** Which host it is. Default: the only one. */
  readonly identity?: HostIdentity;
  /**
   * Whether a refresh waits a moment for the host to ask again for its tools. Default `true`; not where
   * it may ask over another conversation, or would hold up others.
   */
  readonly isWaitedFor?: boolean;
  /** Whether the host is told what becomes of each server. */
  readonly tellsStatus: boolean;
  /** Where oddities are written. */
  readonly log: Logger;
}

/**
 * The conversation with one host, in whichever era each of its requests is. Requests are answered
 * as soon as each can be, in any order; nothing that a host sends ends it.
 */
export class Conversation {
  readonly #options: ConversationOptions;
  /** What runs, by its end and not by its id: nothing keeps a host from giving one twice. */
  readonly #running = new Map<AbortController, FrameId>();
  readonly #ended = new AbortController();
  readonly #host: Host;
  readonly #asks: HostAsks;
  readonly #streams: ListenStreams;
  readonly #notices: ChangeNotices;
  readonly #lists: HostLists;
  readonly #subscriptions: HostSubscriptions;
  readonly #logs: HostLogs;
  readonly #status: StatusNotices | null;
  readonly #unlisten: () => void;
  /** Why a host of the legacy era was not let in; `null` when it was. */
  #loop: Answer | null = null;
  /** Whether a host of the legacy era has finished its initialisation. */
  #isInitialised = false;
  /** Settles when it has, so that it may be asked for something, or is gone. */
  readonly #ready = Promise.withResolvers<void>();

  /** Begins to tell of changes. */
  constructor(options: ConversationOptions) {
    const { gateway, identity = ONLY_HOST, isWaitedFor = true, tellsStatus } = options;
    this.#options = options;
    const send = (message: JsonObject, about: FrameId | null = null): boolean =>
      this.#send(message, about);
    this.#host = new Host(identity);
    this.#asks = new HostAsks(send);
    this.#streams = new ListenStreams(send);
    const status = tellsStatus ? new StatusNotices(send) : null;
    this.#status = status;
    const mayTell = (list: ChangingList): boolean =>
      this.#isInitialised || this.#streams.hears(list);
    const notices = new ChangeNotices({
      mayTell: () => mayTell("tools"),
      tell: () => this.#listChanged("tools"),
      isWaitedFor,
      profile: gateway.profile,
      clock: gateway.clock,
      ended: this.#ended.signal,
    });
    this.#notices = notices;
    const lists = new HostLists({ mayTell, tell: (list) => this.#listChanged(list) });
    this.#lists = lists;
    this.#subscriptions = new HostSubscriptions((params) =>
      send(notificationMessage("notifications/resources/updated", params))
    );
    const logs = new HostLogs({
      level: () => this.#host.logLevel,
      levels: gateway.logLevels,
      tell: (params) => send(notificationMessage("notifications/message", params)),
    });
    this.#logs = logs;
    this.#unlisten = gateway.listen({
      host: this.#host,
      ask: async (method, params, signal) => {
        await unlessAborted(this.#ready.promise, signal);
        return await this.#asks.ask(method, params, { signal, about: null });
      },
      tell: (method, params) => void send(notificationMessage(method, params)),
      refresh: (...refresh) => notices.refresh(...refresh),
      listChanged: (list, versions) => lists.changed(list, versions),
      serverChanged: (view) => status?.changed(view),
      logged: (server, params) => logs.logged(server, params),
    });
  }

  /** Takes one line of the host. Never throws. */
  take(line: string): void {
    for (const frame of hostFrames(line)) this.takeFrame(frame);
  }

  /** Takes one message of the host. Never throws. */
  takeFrame(frame: HostFrame): void {
    if (this.#ended.signal.aborted) return;
    switch (frame.kind) {
      case "invalid":
        return this.#answer(frame.id, refused(frame.code, frame.message));
      case "request":
        return void this.#request(frame);
      case "notification":
        return this.#notified(frame.method, frame.params);
      default:
        // What answers nothing was asked by somebody who has given up meanwhile.
        this.#asks.answered(frame);
    }
  }

  /** Cancels a request of the host, or ends its stream. Nothing happens when it has its answer. */
  cancel(id: FrameId): void {
    if (this.#streams.cancel(id)) return this.#options.link.settled?.(id);
    for (const [controller, running] of this.#running) if (running === id) controller.abort();
  }

  /** Ends it: what still runs is cancelled and not answered any more. Idempotent. */
  close(): void {
    if (this.#ended.signal.aborted) return;
    this.#streams.end();
    // Without a reason an error would be made of it, which costs as much as the whole rest.
    this.#ended.abort(OVER);
    this.#unlisten();
    this.#subscriptions.end();
    void this.#options.gateway.logLevels.set(this.#host, null);
    this.#asks.end();
    this.#ready.resolve();
    if (this.#host.opening !== null) this.#options.gateway.left(this.#host);
    for (const controller of this.#running.keys()) controller.abort(OVER);
    this.#running.clear();
  }

  async #request(frame: Frame & { readonly kind: "request" }): Promise<void> {
    const { id, method, params } = frame;
    const meta = requestMeta(params);
    if (meta.version !== null) this.#logs.unasked();
    const refusal = versionRefusal(meta.version);
    if (refusal !== null) return this.#answer(id, refusal);
    const controller = new AbortController();
    this.#running.set(controller, id);
    const done = Promise.withResolvers<void>();
    let answer: Answer | null;
    try {
      answer = await this.#handled({
        id,
        method,
        params,
        meta,
        isModern: meta.version !== null || method === "server/discover",
        signal: controller.signal,
        gateway: this.#options.gateway,
        host: this.#host,
      }, done.promise);
      // A host that listens may be told now what it is owed.
      if (answer === null) this.#tellOwed();
    } catch (thrown) {
      answer = isAbortError(thrown) ? null : this.#failed(method, thrown);
    } finally {
      done.resolve();
    }
    this.#running.delete(controller);
    const { aborted } = controller.signal;
    if (answer !== null && !aborted) this.#answer(id, answer);
    else if (aborted) this.#options.link.settled?.(id);
  }

  async #handled(opening: OpeningRequest, done: Promise<void>): Promise<Answer | null> {
    const { id, method, params, meta, host, gateway } = opening;
    const loop = gateway.loops.refusal(meta.chain) ?? this.#loop;
    if (loop !== null) {
      if (method === "initialize") this.#loop = loop;
      return loop;
    }
    const early = OPENING_METHODS.get(method);
    if (early !== undefined) return await early(opening);
    const handler = METHODS.get(method);
    if (handler === undefined) return methodNotFound(method);
    if (method === "initialize") host.opening = { ...openingOf(params), chain: meta.chain };
    const asker = host.asker(meta);
    const chain = host.chain(meta);
    const offer = await gateway.offer(host, { ...asker, chain }, done);
    const request: HostRequest = {
      ...opening,
      asker,
      waits: chain.length === 0 || !gateway.loops.isListening,
      ask: (asked, given, signal) => this.#asks.ask(asked, given, { signal, about: id }),
      notify: (name, given) => void this.#send(notificationMessage(name, given), id),
      tell: (name, given) => void this.#send(notificationMessage(name, given), null),
      forward: (server, given) => forwardRequest(request, server, given),
      onProgress: this.#progressOf(id, meta),
      onLog: (server, params) => this.#logs.loggedFor(request, server, params),
      offer,
      session: offer.session,
      streams: this.#streams,
      subscriptions: this.#subscriptions,
      logs: this.#logs,
      onListed: (kind, version) =>
        kind === "tools" ? this.#notices.listed(version) : this.#lists.given(kind, version),
    };
    const answer = await handler(request);
    return answer === null ? null : gateway.marks.answer(method, answer);
  }

  #progressOf(
    id: FrameId,
    { progressToken }: RequestMeta,
  ): HostRequest["onProgress"] {
    if (progressToken === null) return undefined;
    return (_progress, raw) => {
      const params = { ...raw, progressToken };
      this.#send(notificationMessage("notifications/progress", params), id);
    };
  }

  #notified(method: string, params: JsonObject): void {
    switch (method) {
      case "notifications/initialized":
        this.#isInitialised = true;
        this.#ready.resolve();
        this.#status?.ready();
        this.#logs.ready();
        return this.#tellOwed();
      case "notifications/roots/list_changed":
        return this.#options.gateway.rootsChanged(this.#host);
      case "notifications/cancelled": {
        const { requestId } = params;
        if (typeof requestId !== "string" && typeof requestId !== "number") return;
        return this.cancel(requestId);
      }
    }
  }

  /** Tells the host what it is owed, as far as it may be told now. */
  #tellOwed(): void {
    this.#notices.ready();
    this.#lists.ready();
  }

  #listChanged(list: ChangingList): void {
    if (this.#isInitialised) {
      this.#send(notificationMessage(`notifications/${list}/list_changed`), null);
    }
    this.#streams.listChanged(list);
  }

  #failed(method: string, thrown: unknown): Answer {
    const cause = thrown instanceof Error ? thrown.message : String(thrown);
    this.#options.log.log("error", "A request of the host failed here", { method, cause });
    return refused(INTERNAL_ERROR, "Internal error");
  }

  #answer(id: FrameId | null, answer: Answer): void {
    if (!this.#send(answerMessage(id, answer), id)) {
      const tooLarge = refused(INTERNAL_ERROR, "The answer is too large to be sent");
      this.#send(answerMessage(id, tooLarge), id);
    }
    if (id !== null) this.#options.link.settled?.(id);
  }

  #send(message: JsonObject, about: FrameId | null): boolean {
    const { link } = this.#options;
    // Servers that write more than a host can read must not be its end.
    const isSpared = message["method"] === "notifications/message" && link.isBehind?.() === true;
    return this.#ended.signal.aborted || isSpared || link.send(message, about);
  }
}

/** What a host of the legacy era says of itself when it opens the conversation. */
function openingOf({ clientInfo, capabilities }: JsonObject): HostOpening {
  return {
    clientInfo: isJsonObject(clientInfo) ? clientInfo : null,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}
