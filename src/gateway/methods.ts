import type { Method, OpeningMethod } from "./host_request.ts";
import { discover, initialize } from "./introductions.ts";
import { callOffered } from "./lazy/lazy_call.ts";
import { listTools } from "./list_tools.ts";
import { complete } from "./offer/complete.ts";
import { getPrompt, listPrompts } from "./offer/prompt_methods.ts";
import { listResources, listResourceTemplates, readResource } from "./offer/resource_methods.ts";
import { listen, subscribe, unsubscribe } from "./offer/subscribe.ts";
import { setLevel } from "./set_level.ts";

/** A method without a result to speak of. */
const accepted: OpeningMethod = ({ isModern }) => ({
  result: isModern ? { resultType: "complete" } : {},
});

/** Every method that is answered after the session was opened, by name. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["initialize", initialize],
  ["tools/list", listTools],
  ["tools/call", callOffered],
  ["prompts/list", listPrompts],
  ["prompts/get", getPrompt],
  ["resources/list", listResources],
  ["resources/templates/list", listResourceTemplates],
  ["resources/read", readResource],
  ["resources/subscribe", subscribe],
  ["resources/unsubscribe", unsubscribe],
  ["completion/complete", complete],
  ["subscriptions/listen", listen],
]);

/** Every method that opens no session. */
export const OPENING_METHODS: ReadonlyMap<string, OpeningMethod> = new Map<string, OpeningMethod>([
  ["server/discover", discover],
  ["ping", accepted],
  ["logging/setLevel", setLevel],
]);
