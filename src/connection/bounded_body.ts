import { HotplugError } from "../model/errors.ts";
import { BodyReader } from "./body_reader.ts";

/** The largest message taken over any transport, in bytes: 64 MiB. */
export const LARGEST_MESSAGE: number = 64 * 1024 * 1024;

/**
 * Reads a body whole, counting its decoded bytes.
 * @throws {HotplugError} `message-too-large` past `maxBytes`; the body is then cancelled. The
 * signal's reason when it fires.
 */
export async function readBounded(
  name: string,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal?: AbortSignal | null,
): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let size = 0;
  const reader = new BodyReader(body, signal);
  for (let value = await reader.read(); value !== null; value = await reader.read()) {
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(name, maxBytes);
    }
    texts.push(decoder.decode(value, { stream: true }));
  }
  texts.push(decoder.decode());
  return texts.join("");
}

/** The start of a body, for a message; the rest is cancelled. Never rejects. */
export async function readStart(
  body: ReadableStream<Uint8Array> | null,
  bytes: number,
  signal?: AbortSignal | null,
): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = new BodyReader(body, signal);
  try {
    while (size < bytes) {
      const value = await reader.read();
      if (value === null) return text + decoder.decode();
      size += value.length;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // What was read so far has to do.
  }
  return text;
}

/** The error for an answer that is too large. */
export function tooLarge(name: string, maxBytes: number): HotplugError {
  return new HotplugError(
    "message-too-large",
    `Cannot read the answer of "${name}": it is larger than ${maxBytes} bytes`,
  );
}

/** The error for a message of ours that no server could be expected to take. */
export function tooLargeToSend(name: string, maxBytes: number): HotplugError {
  return new HotplugError(
    "message-too-large",
    `Cannot send to "${name}": the message is larger than ${maxBytes} bytes`,
    { details: { delivered: "no" } },
  );
}

/** Whether an error is that of an answer which was too large. */
export function isTooLarge(error: Error | null): error is HotplugError {
  return error instanceof HotplugError && error.code === "message-too-large";
}
