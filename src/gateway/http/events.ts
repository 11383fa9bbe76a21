import type { HttpAnswer } from "../../platform/http_listener.ts";
import type { OutgoingText } from "../../platform/outgoing_text.ts";

/** A sign of life that means nothing. */
export const ALIVE = ": alive\n\n";

/** A message as an event. JSON holds no line end. */
export function eventText(text: string, id: string | null = null): string {
  return `${id === null ? "" : `id: ${id}\n`}event: message\ndata: ${text}\n\n`;
}

/** An event that gives the client an id to come back with, and says nothing. */
export function primingText(id: string): string {
  return `id: ${id}\ndata: \n\n`;
}

/** Headers of a stream: nobody on the way may keep, change or hold it back. */
const STREAM_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** An answer that carries a stream of events. */
export function streamAnswer(
  body: OutgoingText,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status: 200, headers: { ...STREAM_HEADERS, ...headers }, body };
}
