import type { JsonValue } from "../../model/json.ts";
import type { HttpRequest } from "../../platform/http_listener.ts";
import { framesIn, type HostFrame } from "../host_frames.ts";
import { PARSE_ERROR } from "../rpc.ts";
import { type Refusal, REFUSED } from "./http_answers.ts";
import type { HttpLimits } from "./limits.ts";

/** The messages of one POST. */
export interface PostBody {
  /** In order. */
  readonly frames: readonly HostFrame[];
  /** Whether they stand in an array. */
  readonly isBatch: boolean;
}

/** Reads bodies, and not more of them at one time than memory bears. */
export class BodyReader {
  readonly #limits: HttpLimits;
  readonly #ofOne = new Map<string, number>();
  #reading = 0;

  /** Reads nothing yet. */
  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** The messages of a request of a principal, or why there are none. Never rejects. */
  async read(request: HttpRequest, principal: string): Promise<PostBody | Refusal> {
    const { bodyBytes, bodyMs } = this.#limits;
    const length = request.header("content-length");
    // A body that does not tell its length may be as long as any.
    const size = Math.min(bodyBytes, length === null ? bodyBytes : Number(length) || 0);
    if (!this.#bears(principal, size)) return BUSY;
    this.#add(principal, size);
    let text: string;
    try {
      const body = await request.text({ mostBytes: bodyBytes, withinMs: bodyMs });
      if (typeof body === "string") return FAILURES[body];
      text = body.text;
    } finally {
      this.#add(principal, -size);
    }
    try {
      const value = JSON.parse(text) as JsonValue;
      return { frames: framesIn(value), isBatch: Array.isArray(value) };
    } catch {
      return { status: 400, code: PARSE_ERROR, message: "Parse error: the body is not JSON" };
    }
  }

  /** Whether one more of this size can be read; a single one always can. */
  #bears(principal: string, size: number): boolean {
    const { readingBytes, readingBytesOfOne } = this.#limits;
    const own = this.#ofOne.get(principal) ?? 0;
    if (own > 0 && own + size > readingBytesOfOne) return false;
    return this.#reading === 0 || this.#reading + size <= readingBytes;
  }

  #add(principal: string, size: number): void {
    this.#reading += size;
    const own = (this.#ofOne.get(principal) ?? 0) + size;
    if (own > 0) this.#ofOne.set(principal, own);
    else this.#ofOne.delete(principal);
  }
}

const BUSY: Refusal = {
  status: 503,
  code: REFUSED,
  message: "Too much is being sent at the moment",
  headers: { "retry-after": "1", connection: "close" },
};

const FAILURES: Readonly<Record<"too-large" | "too-slow" | "broken", Refusal>> = {
  "too-large": {
    status: 413,
    code: REFUSED,
    message: "The body is too large",
    headers: { connection: "close" },
  },
  "too-slow": {
    status: 408,
    code: REFUSED,
    message: "The body takes too long",
    headers: { connection: "close" },
  },
  broken: { status: 400, code: PARSE_ERROR, message: "Parse error: the body ended too early" },
};
