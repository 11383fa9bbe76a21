import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** Texts within texts that are unpacked. */
const MOST_LAYERS = 3;

/**
 * The arguments of the tool behind `call_tool`. Models often write an object within an object as a
 * text of JSON, and some leave it out when it is empty. Pure.
 * @returns `null` for what is no object.
 */
export function innerArguments(given: JsonValue | undefined): JsonObject | null {
  let value = given ?? {};
  for (let layer = 0; layer < MOST_LAYERS && typeof value === "string"; layer++) {
    if (value.trim() === "") return {};
    try {
      value = JSON.parse(value) as JsonValue ?? {};
    } catch {
      return null;
    }
  }
  return isJsonObject(value) ? value : null;
}
