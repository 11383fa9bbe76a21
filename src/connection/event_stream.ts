import { BodyReader, type Silence } from "./body_reader.ts";
import { tooLarge } from "./bounded_body.ts";
import { type FrameId, repairedAnswer } from "./frames.ts";
import { withOrigin } from "./stream_origin.ts";

/** How an event stream ended. */
export interface EventStreamEnd {
  /** Data lines and ids that it carried. */
  readonly events: number;
  /** Why it broke; `null` when it ended as it should or was cancelled by us. */
  readonly error: Error | null;
  /** Whether we cancelled it. */
  readonly cancelled: boolean;
}

/** What {@linkcode guardedEventStream} takes. */
export interface EventStreamOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Largest event in bytes. */
  readonly maxBytes: number;
  /** Id of the request that the stream answers; `null` when it answers none. */
  readonly requestId: FrameId | null;
  /** Ends the stream when it fires, as if it had been cancelled. */
  readonly signal?: AbortSignal | null | undefined;
  /** How long it may be silent, if that is bounded. */
  readonly silence?: Silence | undefined;
  /** Turns a broken connection into the error to show. */
  readonly broken: (thrown: unknown) => Error;
  /** Called once, when it has ended. */
  readonly onEnd: (end: EventStreamEnd) => void;
}

/** Longest data line that is looked into for an odd error. */
const LONGEST_REPAIR = 256 * 1024;

/**
 * Passes a stream of server-sent events on line by line, so that no event grows beyond a bound,
 * and makes odd error answers sound on the way: strict readers would drop them, and their
 * requests would wait for the time-out. What the server itself says on the stream of a request is
 * marked as belonging to that.
 */
export function guardedEventStream(
  body: ReadableStream<Uint8Array>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const reader = new BodyReader(body, options.signal, options.silence);
  const encoder = new TextEncoder();
  const lines = new EventLines(options);
  let ended = false;
  const end = (error: Error | null, cancelled: boolean): void => {
    if (ended) return;
    ended = true;
    options.onEnd({ events: lines.events, error, cancelled });
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      try {
        for (;;) {
          const value = await reader.read();
          const text = value === null ? lines.flush() : lines.push(value);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (value === null) {
            controller.close();
            return end(null, false);
          }
          if (text !== "") return;
        }
      } catch (thrown) {
        if (options.signal?.aborted === true) {
          end(null, true);
          return controller.error(thrown);
        }
        const error = lines.failed ?? options.broken(thrown);
        await reader.cancel();
        end(error, false);
        controller.error(error);
      }
    },
    async cancel(reason): Promise<void> {
      end(null, true);
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** Cuts the text of an event stream into lines, and counts the bytes of the event it is in. */
class EventLines {
  /** Lines of data and ids so far. */
  events = 0;
  /** Set when the bound was passed. */
  failed: Error | null = null;
  readonly #options: EventStreamOptions;
  readonly #decoder = new TextDecoder();
  #rest: string[] = [];
  #size = 0;
  #skipLineFeed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** Takes bytes and gives the whole lines so far, each ended by a line feed. */
  push(chunk: Uint8Array): string {
    this.#size += chunk.length;
    const out = this.#cut(this.#decoder.decode(chunk, { stream: true }));
    if (this.#size > this.#options.maxBytes) {
      this.failed = tooLarge(this.#options.name, this.#options.maxBytes);
      throw this.failed;
    }
    return out;
  }

  /** The rest, when the stream has ended. */
  flush(): string {
    return this.#cut(this.#decoder.decode()) + this.#rest.join("");
  }

  #cut(decoded: string): string {
    let text = decoded;
    if (this.#skipLineFeed && text.startsWith("\n")) text = text.slice(1);
    if (decoded !== "") this.#skipLineFeed = decoded.endsWith("\r");
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    if (parts.length === 0) {
      if (last !== "") this.#rest.push(last);
      return "";
    }
    parts[0] = this.#rest.join("") + parts[0];
    this.#rest = last === "" ? [] : [last];
    return parts.map((line) => `${this.#line(line)}\n`).join("");
  }

  #line(line: string): string {
    if (line === "") this.#size = 0;
    const isData = line.startsWith("data:");
    if (isData || line.startsWith("id:")) this.events++;
    if (!isData) return line;
    const { requestId } = this.#options;
    const marked = requestId === null ? null : withOrigin(line.slice(5), requestId);
    if (marked !== null) return `data: ${marked}`;
    if (line.length > LONGEST_REPAIR || !line.includes('"error"')) return line;
    try {
      const repaired = repairedAnswer(JSON.parse(line.slice(5)), requestId);
      return repaired === null ? line : `data: ${JSON.stringify(repaired)}`;
    } catch {
      return line;
    }
  }
}
