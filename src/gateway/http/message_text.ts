import type { JsonObject } from "../../model/json.ts";

/** A message as text; `null` when it is too long or too deep for one. */
export function messageText(message: JsonObject): string | null {
  try {
    return JSON.stringify(message);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
