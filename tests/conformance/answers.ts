import type { HostHandlers, JsonObject } from "../../mod.ts";

/** Values of the simple types of JSON Schema. */
const VALUES: ReadonlyMap<unknown, string | number | boolean> = new Map<
  string,
  string | number | boolean
>([["string", "text"], ["number", 2.5], ["integer", 3], ["boolean", true]]);

/**
 * An object for a schema: a value for each property of a simple type. What has a default is left
 * out, so that whoever fills in defaults is seen to do so.
 */
export function sampleOf(schema: JsonObject): JsonObject {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = VALUES.get(property["type"]);
      return value === undefined || Object.hasOwn(property, "default") ? [] : [[name, value]];
    }),
  );
}

/** What the client under test does when a server asks it for something: it is always willing. */
export const HANDLERS: HostHandlers = {
  elicit: ({ requestedSchema }) => ({ action: "accept", content: sampleOf(requestedSchema) }),
  sample: () => ({ role: "assistant", content: { type: "text", text: "Yes" }, model: "none" }),
  roots: () => [],
};
