import type { Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { FrameId } from "./frames.ts";
import type { MessageExtra } from "./message_extra.ts";

/**
 * Key in `params` by which a message carries the id of the request on whose stream it came through
 * the SDK's transport, which has one way out for all streams.
 */
const KEY = "dev.hotplug/stream";

/** Characters of a message within which its method stands, if it has one. */
const METHOD_WITHIN = 512;

/**
 * The text of a server's own message with the request on whose stream it came; `null` for an answer,
 * and for what cannot be read.
 */
export function withOrigin(text: string, id: FrameId): string | null {
  if (!text.slice(0, METHOD_WITHIN).includes('"method"')) return null;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(message) || typeof message["method"] !== "string") return null;
  const { params = {} } = message;
  if (!isJsonObject(params)) return null;
  return JSON.stringify({ ...message, params: { ...params, [KEY]: id } });
}

/** Has a transport tell of each message on which request's stream it came, as far as it carries that. */
export function tellOrigins(transport: Transport): void {
  let listener: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => listener,
    set(given: Transport["onmessage"]): void {
      listener = given === undefined ? undefined : (message, extra) => {
        const id = takeOrigin(message as unknown as { params?: JsonObject });
        if (id === null) return given(message, extra);
        const told: MessageExtra = { ...extra, originId: id };
        given(message, told);
      };
    },
  });
}

/** Takes out of a message what it carries. */
function takeOrigin(message: { params?: JsonObject }): FrameId | null {
  const { params } = message;
  if (params === undefined || !Object.hasOwn(params, KEY)) return null;
  const { [KEY]: id, ...own } = params;
  message.params = own;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
