import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { readFrame } from "./frames.ts";

/** The messages of one line: one, or several in an array; `null` when it holds none. */
export function parsedMessages(text: string): JSONRPCMessage[] | null {
  if (!text.startsWith("{") && !text.startsWith("[")) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const values = Array.isArray(value) ? value : [value];
  const messages = values.filter((item) => readFrame(item) !== null);
  return messages.length === 0 ? null : messages as JSONRPCMessage[];
}

/** A message as its line; `null` when it is longer than any text can be. */
export function messageLine(message: JSONRPCMessage): string | null {
  try {
    return `${JSON.stringify(message)}\n`;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
