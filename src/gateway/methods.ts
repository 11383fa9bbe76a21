import type { Method, OpeningMethod } from "./host_request.ts";
import { discover, initialize } from "./introductions.ts";
import { callOffered } from "./lazy/lazy_call.ts";
import { listTools } from "./list_tools.ts";

/** A method without a result to speak of. */
const accepted: OpeningMethod = ({ isModern }) => ({
  result: isModern ? { resultType: "complete" } : {},
});

/** Every method that is answered after the session was opened, by name. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", initialize],
  ["tools/list", listTools],
  ["tools/call", callOffered],
  ["subscriptions/listen", ({ id, params, streams }) => streams.open(id, params)],
]);

/** Every method that opens no session. */
export const OPENING_METHODS: ReadonlyMap<string, OpeningMethod> = new Map<string, OpeningMethod>([
  ["server/discover", discover],
  ["ping", accepted],
  // What servers log is kept by `mcp logs`; the level changes nothing here.
  ["logging/setLevel", accepted],
]);
