import type { HostHandlers } from "../model/host_handlers.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/**
 * What is declared to servers: one capability for each handler that is there, and what the host
 * declares itself, which wins where both speak of the same.
 */
export function clientCapabilities(
  handlers: HostHandlers | undefined,
  explicit: JsonObject | undefined,
): JsonObject {
  const { elicit, elicitUrl, sample, roots } = handlers ?? {};
  const derived: JsonObject = {
    ...(elicit === undefined && elicitUrl === undefined ? {} : {
      elicitation: {
        ...(elicit === undefined ? {} : { form: {} }),
        ...(elicitUrl === undefined ? {} : { url: {} }),
      },
    }),
    ...(sample === undefined ? {} : { sampling: {} }),
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
  };
  return merged(derived, explicit ?? {});
}

function merged(derived: JsonObject, explicit: JsonObject): JsonObject {
  const entries = Object.entries(explicit).map(([key, value]) => {
    const own = Object.hasOwn(derived, key) ? derived[key] : undefined;
    return [key, isJsonObject(own) && isJsonObject(value) ? merged(own, value) : value] as const;
  });
  return { ...derived, ...Object.fromEntries(entries) };
}
