/** What an `Accept` header takes. */
export interface AcceptedTypes {
  /** JSON. */
  readonly json: boolean;
  /** A stream of events. */
  readonly events: boolean;
}

const BOTH: AcceptedTypes = { json: true, events: true };

/** What all known clients send. */
const USUAL: readonly string[] = [
  "application/json, text/event-stream",
  "text/event-stream, application/json",
  "*/*",
];

/** What a client takes by its `Accept`; without one it takes everything. Pure. */
export function acceptedTypes(accept: string | null): AcceptedTypes {
  if (accept === null || USUAL.includes(accept)) return BOTH;
  const types = accept.toLowerCase().split(",").map((part) => (part.split(";")[0] ?? "").trim());
  const takes = (...ranges: readonly string[]): boolean =>
    ranges.some((range) => types.includes(range));
  return {
    json: takes("application/json", "application/*", "*/*"),
    events: takes("text/event-stream", "text/*", "*/*"),
  };
}

/** Whether a `Content-Type` is JSON's. Pure. */
export function isJsonType(type: string | null): boolean {
  return type === "application/json" ||
    (type ?? "").split(";")[0]?.trim().toLowerCase() === "application/json";
}
