import type { FrameId } from "../../connection/frames.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { HttpAnswer } from "../../platform/http_listener.ts";
import { answerMessage, refused } from "../rpc.ts";
import {
  emptyAnswer,
  JSON_HEADERS,
  jsonAnswer,
  MISSING_CAPABILITY,
  REFUSED,
} from "./http_answers.ts";

/** Where the events of a streamed answer go. */
export interface AnswerStream {
  /** The answer that carries the stream. */
  readonly answer: HttpAnswer;
  /** Sends one message. */
  send(text: string): void;
  /** Ends it. */
  end(): void;
}

/** What a {@linkcode PostAnswer} is made of. */
export interface PostAnswerOptions {
  /** Ids of the requests of the body. */
  readonly ids: readonly FrameId[];
  /** Whether the body was an array, and the answer in JSON is one. */
  readonly isBatch: boolean;
  /** Begins a stream; `null` when the host takes none: it then gets the answers alone. */
  readonly openStream: (() => AnswerStream) | null;
  /** Headers of an answer in JSON. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called once, when every request has its answer. Must not throw. */
  readonly onDone: () => void;
}

/**
 * What one POST is answered with: JSON when nothing else was sent before the answer, a stream of
 * events otherwise. That is decided at the first message, or when it takes long.
 */
export class PostAnswer {
  /** The answer, once its beginning is known. Never rejects. */
  readonly begun: Promise<HttpAnswer>;
  readonly #options: PostAnswerOptions;
  readonly #open: Set<FrameId>;
  #begin: (answer: HttpAnswer) => void = () => {};
  #stream: AnswerStream | null = null;
  #answers: string[] = [];
  #status = 200;

  /** Nothing is known yet. */
  constructor(options: PostAnswerOptions) {
    this.#options = options;
    this.#open = new Set(options.ids);
    this.begun = new Promise((resolve) => this.#begin = resolve);
  }

  /** Takes a message that belongs to one of the requests, and its text. */
  send(message: JsonObject, text: string): void {
    if (this.#stream !== null) return this.#stream.send(text);
    if (message["method"] === undefined) {
      this.#status = statusOf(message);
      this.#answers.push(text);
    } else if (this.stream()) this.send(message, text);
  }

  /** Notes that one of the requests is done. */
  settled(id: FrameId): void {
    if (!this.#open.delete(id) || this.#open.size > 0) return;
    if (this.#stream !== null) this.#stream.end();
    else this.#begin(this.#whole());
    this.#options.onDone();
  }

  /** Answers what has no answer yet with an error, as it will have no other. */
  giveUp(why: string): void {
    for (const id of [...this.#open]) {
      const message = answerMessage(id, refused(REFUSED, why));
      this.send(message, JSON.stringify(message));
      this.settled(id);
    }
  }

  /** Goes over to a stream. @returns Whether it is one now. */
  stream(): boolean {
    if (this.#stream !== null) return true;
    const { openStream } = this.#options;
    if (openStream === null || this.#open.size === 0) return false;
    const stream = openStream();
    this.#stream = stream;
    for (const text of this.#answers) stream.send(text);
    this.#answers = [];
    this.#begin(stream.answer);
    return true;
  }

  #whole(): HttpAnswer {
    const { isBatch, headers = JSON_HEADERS } = this.#options;
    const [first] = this.#answers;
    // A request that was cancelled has no answer.
    if (first === undefined) return emptyAnswer(202);
    if (isBatch) return jsonAnswer(200, `[${this.#answers.join(",")}]`, headers);
    return jsonAnswer(this.#status, first, headers);
  }
}

/** 2026-07-28 has a status for this one error of a method; all others are answers like any other. */
function statusOf({ error }: JsonObject): number {
  return isJsonObject(error) && error["code"] === MISSING_CAPABILITY ? 400 : 200;
}
