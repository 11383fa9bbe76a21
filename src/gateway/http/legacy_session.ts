import type { FrameId } from "../../connection/frames.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Logger } from "../../model/log.ts";
import type { HttpAnswer } from "../../platform/http_listener.ts";
import { Conversation } from "../conversation.ts";
import type { Gateway } from "../gateway.ts";
import type { HostFrame } from "../host_frames.ts";
import { negotiatedVersion } from "../protocol_versions.ts";
import { streamAnswer } from "./events.ts";
import { JSON_HEADERS } from "./http_answers.ts";
import { KeptStream } from "./kept_stream.ts";
import type { HttpLimits } from "./limits.ts";
import type { LostStreams } from "./lost_streams.ts";
import { messageText } from "../message_text.ts";
import { type AnswerStream, PostAnswer } from "./post_answer.ts";
import { RequestStreams } from "./request_streams.ts";

/** Header that names a session. */
export const SESSION_HEADER = "mcp-session-id";

/** Revision since which clients take an event without data. */
const PRIMED_SINCE = "2025-11-25";

/** What a {@linkcode LegacySession} is made of. */
export interface LegacySessionOptions {
  /** Its id. */
  readonly id: string;
  /** Who opened it: it is nobody else's. */
  readonly principal: string;
  /** What is behind it. */
  readonly gateway: Gateway;
  /** What is borne. */
  readonly limits: HttpLimits;
  /** Its principal's streams to come back for. */
  readonly lost: LostStreams;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** A body of a session that holds requests. */
export interface SessionPost {
  /** Its messages. */
  readonly frames: readonly HostFrame[];
  /** Whether they stand in an array. */
  readonly isBatch: boolean;
  /** Whether the host takes a stream. */
  readonly takesEvents: boolean;
  /** Called once, when every request has its answer. */
  readonly onDone: () => void;
}

/** One that is under way. */
interface Running {
  readonly post: PostAnswer;
  readonly ids: readonly FrameId[];
  isOld: boolean;
}

/**
 * A session of a host of the legacy era: one conversation over many requests. A connection that
 * breaks cancels nothing: the host may come back for what it has missed.
 */
export class LegacySession {
  /** Its id. */
  readonly id: string;
  /** Who opened it. */
  readonly principal: string;
  readonly #options: LegacySessionOptions;
  readonly #conversation: Conversation;
  readonly #posts = new Map<FrameId, Running>();
  /** What belongs to no request, for the stream that a host opens by GET. */
  readonly #own: KeptStream;
  readonly #streams: RequestStreams;
  #version = "";
  #usedAt: number;
  #isClosed = false;

  /** Begins the conversation. */
  constructor(options: LegacySessionOptions) {
    const { id, principal, gateway, limits, lost, log } = options;
    this.#options = options;
    this.id = id;
    this.principal = principal;
    this.#usedAt = gateway.clock.ticks();
    this.#own = new KeptStream("0", limits, () => this.#touch());
    this.#streams = new RequestStreams(limits, lost);
    this.#conversation = new Conversation({
      gateway,
      link: {
        send: (message, about) => this.#send(message, about),
        settled: (settled) => this.#settled(settled),
      },
      identity: { principal, key: id },
      isWaitedFor: false,
      tellsStatus: false,
      log,
    });
  }

  /** Milliseconds since it was used last; 0 while something is under way. */
  get idleMs(): number {
    if (this.#posts.size > 0 || this.#own.isConnected) return 0;
    return this.#options.gateway.clock.ticks() - this.#usedAt;
  }

  /** Whether a request of this id is under way: two of one could not be told apart. */
  isRunning(id: FrameId): boolean {
    return this.#posts.has(id);
  }

  /** Takes messages that want no answer: notifications, and answers of the host. */
  take(frames: readonly HostFrame[]): void {
    this.#touch();
    for (const frame of frames) this.#conversation.takeFrame(frame);
  }

  /** Takes messages with requests among them, and answers. Never rejects. */
  answer({ frames, isBatch, takesEvents, onDone }: SessionPost): Promise<HttpAnswer> {
    const ids: FrameId[] = [];
    let opens = false;
    for (const frame of frames) {
      if (frame.kind !== "request") continue;
      ids.push(frame.id);
      if (frame.method !== "initialize") continue;
      opens = true;
      this.#version = negotiatedVersion(frame.params["protocolVersion"]);
    }
    const headers = opens ? { [SESSION_HEADER]: this.id } : undefined;
    const post = new PostAnswer({
      ids,
      isBatch,
      openStream: takesEvents ? () => this.#openStream(headers) : null,
      headers: headers === undefined ? undefined : { ...JSON_HEADERS, ...headers },
      onDone,
    });
    const running: Running = { post, ids, isOld: false };
    for (const id of ids) this.#posts.set(id, running);
    this.take(frames);
    return post.begun;
  }

  /**
   * Connects the host to its own stream, or to the one of a request that it has lost.
   * @param lastId The last event that the host has, `null` for none.
   * @param onOver Called once, when it is connected no more.
   */
  listen(lastId: string | null, onOver: () => void): HttpAnswer {
    this.#touch();
    const [, name = "", number = ""] = /^(\d{1,15})-(\d{1,15})$/.exec(lastId ?? "") ?? [];
    const lost = this.#streams.find(name);
    if (lost !== null) return streamAnswer(lost.connect(Number(number), false, onOver));
    const after = name === this.#own.id ? Number(number) : null;
    return streamAnswer(this.#own.connect(after, this.#isPrimed, onOver));
  }

  /**
   * Gives every stream a sign of life, turns answers that take long into streams, and forgets what
   * nobody came back for.
   */
  alive(): void {
    for (const running of new Set(this.#posts.values())) {
      if (running.isOld) running.post.stream();
      running.isOld = true;
    }
    this.#own.alive();
    this.#streams.alive();
  }

  /** Ends it: what runs is cancelled, and told so, all streams end. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#conversation.close();
    for (const { post } of new Set(this.#posts.values())) post.giveUp("The session has ended");
    this.#posts.clear();
    this.#own.end();
    this.#streams.close();
  }

  get #isPrimed(): boolean {
    return this.#version >= PRIMED_SINCE;
  }

  #openStream(headers: Readonly<Record<string, string>> | undefined): AnswerStream {
    const stream = this.#streams.open();
    return {
      answer: streamAnswer(stream.connect(null, this.#isPrimed), headers),
      send: (text) => stream.send(text),
      end: () => this.#streams.end(stream),
    };
  }

  #send(message: JsonObject, about: FrameId | null): boolean {
    const text = messageText(message);
    if (text === null) return false;
    const post = about === null ? undefined : this.#posts.get(about)?.post;
    if (post !== undefined) post.send(message, text);
    else if (!isLate(message)) this.#own.send(text, subjectOf(message));
    return true;
  }

  #settled(id: FrameId): void {
    this.#touch();
    const running = this.#posts.get(id);
    this.#posts.delete(id);
    running?.post.settled(id);
  }

  #touch(): void {
    this.#usedAt = this.#options.gateway.clock.ticks();
  }
}

/** Whether a message says something about a request that has its answer, or is one to it. */
function isLate({ method }: JsonObject): boolean {
  return method === undefined || method === "notifications/progress";
}

/** What makes an older message of the same kind needless; `null` when nothing does. */
function subjectOf({ method, params }: JsonObject): string | null {
  if (typeof method !== "string") return null;
  if (method.endsWith("/list_changed")) return method;
  if (method !== "notifications/resources/updated") return null;
  return `${method} ${isJsonObject(params) ? String(params["uri"]) : ""}`;
}
