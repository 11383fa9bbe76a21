import type { JsonObject } from "../../../src/model/json.ts";

/** The stream over which a server sends the notifications of one session. */
export function sessionStream(): {
  readonly response: Response;
  readonly send: (message: JsonObject) => void;
  readonly end: () => void;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const write = (text: string): void => controller?.enqueue(new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      write(": here\n\n");
    },
    cancel: () => {
      controller = null;
    },
  });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    send: (message) => write(`data: ${JSON.stringify(message)}\n\n`),
    end: () => {
      controller?.close();
      controller = null;
    },
  };
}
