import { createInterface } from "node:readline/promises";
import { HotplugError } from "../model/errors.ts";

/** Most bytes taken from stdin: the largest message that a server is sent (64 MiB). */
const MAX_INPUT_BYTES = 64 * 1_024 * 1_024;

/**
 * All that a stream holds, as UTF-8 text.
 * @throws {HotplugError} `bad-arguments` when it is over 64 MiB or no UTF-8; `aborted`.
 */
export async function readAll(
  stream: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const encoder = new TextEncoder();
  let text = "";
  let bytes = 0;
  const iterator = stream[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(new HotplugError("aborted", "Aborted"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  aborted.catch(() => {});
  try {
    while (true) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done === true) return text + decoder.decode();
      const chunk = typeof value === "string" ? encoder.encode(value) : value;
      bytes += chunk.byteLength;
      if (bytes > MAX_INPUT_BYTES) {
        throw new HotplugError("bad-arguments", "Cannot read stdin: it holds over 64 MiB");
      }
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      throw new HotplugError("bad-arguments", "Cannot read stdin: it is no UTF-8 text");
    }
    throw thrown;
  }
}

/**
 * Asks a question on one stream and reads the answer's line from another; an ended input answers
 * nothing.
 * @throws {HotplugError} `aborted`.
 */
export async function ask(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const lines = createInterface({ input, output });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } catch (cause) {
    throw new HotplugError("aborted", "Aborted", { cause });
  } finally {
    lines.close();
  }
}
