import type { FrameId } from "../../connection/frames.ts";
import type { Logger } from "../../model/log.ts";
import type { JsonObject } from "../../model/json.ts";
import type { HttpAnswer, HttpRequest } from "../../platform/http_listener.ts";
import { OutgoingText } from "../../platform/outgoing_text.ts";
import { Conversation } from "../conversation.ts";
import type { Gateway } from "../gateway.ts";
import type { HostFrame } from "../host_frames.ts";
import { ALIVE, eventText, streamAnswer } from "./events.ts";
import type { HttpLimits } from "./limits.ts";
import { messageText } from "../message_text.ts";
import { type AnswerStream, PostAnswer } from "./post_answer.ts";

/** What {@linkcode ModernPosts} work with. */
export interface ModernPostsOptions {
  /** What is behind them. */
  readonly gateway: Gateway;
  /** What is borne. */
  readonly limits: HttpLimits;
  /** Where oddities are written. */
  readonly log: Logger;
}

/** A request of the modern era that was let in. */
export interface ModernPost {
  /** The request's message. */
  readonly frame: HostFrame & { readonly kind: "request" };
  /** The request that carries it. */
  readonly request: HttpRequest;
  /** Who asks. */
  readonly principal: string;
  /** Whether the host takes a stream. */
  readonly takesEvents: boolean;
  /** Called once, when it is over. */
  readonly onDone: () => void;
}

/** One that is under way. */
interface Running {
  /** Whether it listens for changes. */
  readonly isListening: boolean;
  /** Gives a sign of life. */
  alive(): void;
  /** Ends it: what listens is answered, all else is cancelled, and told so. */
  end(): void;
}

/**
 * Requests of the modern era: each is a conversation of its own, which ends with its answer, or when
 * the host closes the connection. Nothing is remembered from one to the next.
 */
export class ModernPosts {
  readonly #options: ModernPostsOptions;
  readonly #running = new Set<Running>();

  /** Nothing is under way. */
  constructor(options: ModernPostsOptions) {
    this.#options = options;
  }

  /** Answers a request. Never rejects. */
  answer({ frame, request, principal, takesEvents, onDone }: ModernPost): Promise<HttpAnswer> {
    const { gateway, limits, log } = this.#options;
    const { id } = frame;
    let out: OutgoingText | null = null;
    const openStream = (): AnswerStream => {
      const stream = new OutgoingText({
        mostWaiting: limits.mostWaiting,
        stallMs: limits.stallMs,
        onGone: () => conversation.cancel(id),
      });
      out = stream;
      return {
        answer: streamAnswer(stream),
        send: (text: string): void => stream.push(eventText(text)),
        end: (): void => stream.end(),
      };
    };
    const post = new PostAnswer({
      ids: [id],
      isBatch: false,
      openStream: takesEvents ? openStream : null,
      onDone: () => {
        this.#running.delete(running);
        conversation.close();
        onDone();
      },
    });
    const link = {
      send(message: JsonObject, about: FrameId | null): boolean {
        // The modern era has no requests to hosts.
        if (message["method"] !== undefined && message["id"] !== undefined) return false;
        const text = messageText(message);
        if (text === null) return false;
        // What belongs to no request has nobody to go to.
        if (about === id) post.send(message, text);
        return true;
      },
      settled: (settled: FrameId): void => post.settled(settled),
    };
    const conversation = new Conversation({
      gateway,
      link,
      identity: { principal, key: `modern:${principal}` },
      isWaitedFor: false,
      tellsStatus: false,
      log,
    });
    let isOld = false;
    const running: Running = {
      isListening: frame.method === "subscriptions/listen",
      alive(): void {
        if (isOld && post.stream()) out?.push(ALIVE);
        isOld = true;
      },
      end(): void {
        conversation.close();
        // Whoever listens was answered by that.
        if (running.isListening && out !== null) post.settled(id);
        else post.giveUp("The gateway is ending");
      },
    };
    this.#running.add(running);
    request.onGone(() => conversation.cancel(id));
    conversation.takeFrame(frame);
    return post.begun;
  }

  /** Gives every stream a sign of life, and turns answers that take long into streams. */
  alive(): void {
    for (const running of this.#running) running.alive();
  }

  /** Answers the hosts that listen for changes: there will be no more. */
  endListening(): void {
    for (const running of this.#running) if (running.isListening) running.end();
  }

  /** Cancels what runs. */
  close(): void {
    for (const running of this.#running) running.end();
  }
}
