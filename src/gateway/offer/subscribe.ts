import { failedRequest } from "../forward_request.ts";
import type { HostRequest } from "../host_request.ts";
import { type Answer, INVALID_PARAMS, methodNotFound, refused } from "../rpc.ts";
import type { Subscribe } from "./host_subscriptions.ts";
import { located } from "./locate.ts";

/** Milliseconds after which a stream is confirmed without what could not be subscribed to yet. */
const CONFIRM_MS = 10_000;

/** `resources/subscribe`: a host of the legacy era wants to know when a resource changes. */
export async function subscribe(request: HostRequest): Promise<Answer> {
  const { method, params: { uri }, isModern, signal, subscriptions } = request;
  if (isModern) return methodNotFound(method);
  if (typeof uri !== "string") {
    return refused(INVALID_PARAMS, 'Invalid params: "uri" is required, a text');
  }
  const refusal = await subscriptions.add(uri, subscribeFor(request), signal);
  return refusal ?? { result: {} };
}

/** `resources/unsubscribe`: it does not any more. */
export function unsubscribe({ method, params, isModern, subscriptions }: HostRequest): Answer {
  if (isModern) return methodNotFound(method);
  const { uri } = params;
  if (typeof uri === "string") subscriptions.remove(uri);
  return { result: {} };
}

/** `subscriptions/listen`: a host of the modern era wants to know of changes, resources included. */
export async function listen(request: HostRequest): Promise<Answer | null> {
  const { id, params, streams, gateway } = request;
  const late = new AbortController();
  const subscribed = subscribeFor(request);
  const waited = new AbortController();
  void gateway.clock.delay(CONFIRM_MS, waited.signal).then(() => late.abort());
  try {
    return await streams.open(
      id,
      params,
      (uri, onUpdate, over) => subscribed(uri, onUpdate, AbortSignal.any([late.signal, over])),
    );
  } finally {
    waited.abort();
  }
}

/** A way to subscribe to what is on offer. */
function subscribeFor(request: HostRequest): Subscribe {
  return async (uri, onUpdate, signal) => {
    const found = await located(request, uri, signal);
    if ("refusal" in found) return found;
    const { server, uri: own } = found.address;
    const { session, host, offer: { resources } } = request;
    const nameFor = (of: string, other: string): string =>
      resources.nameFor(of, other, host.principal);
    try {
      return { end: await session.subscribe(server, own, { uri, nameFor, onUpdate }, signal) };
    } catch (thrown) {
      return { refusal: failedRequest(request, server, thrown) };
    }
  };
}
