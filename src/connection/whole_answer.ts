import { HotplugError } from "../model/errors.ts";
import { readBounded } from "./bounded_body.ts";
import type { FrameId } from "./frames.ts";
import { answerText, isForeignJson, keptHeaders, mediaType } from "./http_answer.ts";
import { foreignAnswer, networkError } from "./http_error.ts";

/** How much of an answer is looked at to tell of it, in characters; only its beginning is shown. */
const LONGEST_START = 16 * 1024;

/** An answer with success that has not been read. */
export interface WholeAnswer {
  /** Its head and body. */
  readonly response: Response;
  /** The request that it answers, if it is one of the protocol. */
  readonly id: FrameId | null;
  /** What lets go of it. */
  readonly signal: AbortSignal | null | undefined;
}

/** Whose answer it is, and how long it may be. */
export interface WholeAnswerOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The server's endpoint. */
  readonly url: URL;
  /** Replaces known secrets in what is told of it. Default: none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Largest message in bytes, decoded. */
  readonly maxMessageBytes: number;
}

/**
 * An answer in one piece, in a form that a strict reader takes.
 * @throws {HotplugError} `message-too-large`, `server-unreachable`; or the abort as it is.
 */
export async function wholeAnswer(
  { response, id, signal }: WholeAnswer,
  { name, url, mask, maxMessageBytes }: WholeAnswerOptions,
): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) return response;
  let text: string;
  try {
    text = await readBounded(name, body, maxMessageBytes, signal);
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    throw thrown instanceof HotplugError ? thrown : networkError(name, url, thrown);
  }
  const kept = keptHeaders(headers);
  const type = mediaType(headers);
  const answer = answerText(text, type, id);
  if (answer !== null) kept.set("content-type", "application/json");
  else if (
    id !== null && status === 200 && (type !== "application/json" || isForeignJson(text))
  ) {
    const start = text.slice(0, LONGEST_START);
    throw foreignAnswer(name, url, { type, start: mask?.(start) ?? start });
  }
  return new Response(status === 204 || status === 205 ? null : answer ?? text, {
    status,
    headers: kept,
  });
}
