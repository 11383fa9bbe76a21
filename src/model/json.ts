/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. A property may be `undefined` while it is being built; it is then not written. */
export interface JsonObject {
  /** The value of a property. */
  readonly [key: string]: JsonValue | undefined;
}

/** Tells whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
