import { INTERNAL_ERROR, RequestRefusal } from "../../connection/request_refusal.ts";
import type { ForwardOptions } from "../../model/forward.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ProtocolEra } from "../../model/server_view.ts";
import type { HostRequest } from "../host_request.ts";
import { AskingCall, type WaitingRequest } from "./asking_call.ts";
import { uselessState } from "./parked_calls.ts";
import { relayedAsker } from "./relayed_capabilities.ts";
import type { StateBinding } from "./request_state.ts";

/** Methods that may be answered with questions, by 2026-07-28. */
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/**
 * Sends a request of a host of the modern era. What a server of its own era asks goes through as it
 * is, and so do the host's answers. A server of the legacy era asks in the middle of a call: that
 * ends the host's request, and the call waits for the one that brings the answers.
 */
export async function forwardForModernHost(
  request: HostRequest,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { method, host, gateway, session, signal, asker, onProgress } = request;
  const onLog = (line: JsonObject): void => request.onLog(server, line);
  const { requestState, inputResponses } = request.params;
  if (!MAY_ASK.has(method)) {
    const options = { ...forwardOptions(request), onLog, ask };
    return await session.request(server, method, params, options);
  }
  const binding: StateBinding = { principal: host.principal, method, params: request.params };
  const waiting: WaitingRequest = { capabilities: asker.capabilities, onProgress, onLog, signal };
  let call = typeof requestState === "string"
    ? await gateway.parked.take(requestState, binding)
    : null;
  if (call !== null) {
    call.resume(waiting);
    call.answer(inputResponses);
  } else {
    const era = await eraFor(request, server);
    if (era === "legacy" && requestState !== undefined) {
      throw uselessState("it was not given out for this call");
    }
    const round = era === "legacy" ? {} : ofRound({ inputResponses, requestState });
    call = new AskingCall({
      waiting,
      clock: gateway.clock,
      onAnswer: (asked, result) => {
        if (asked === "roots/list") session.learnRoots(server, result);
      },
      send: (options) =>
        session.request(server, method, { ...params, ...round }, {
          ...forwardOptions(request),
          ...options,
          input: { legacy: "answer", modern: "forward" },
        }),
    });
  }
  return await call.next() ?? await gateway.parked.park(call, binding, signal);
}

function forwardOptions({ signal, onProgress, meta, asker }: HostRequest): ForwardOptions {
  return { signal, onProgress, meta: meta.forwarded, asker: relayedAsker(asker) };
}

/** What a host gets to hear that is asked where it cannot be. */
function ask(): Promise<never> {
  return Promise.reject(
    new RequestRefusal(INTERNAL_ERROR, "The client cannot be asked because of this request"),
  );
}

/**
 * The era of a server: it decides about what a retry brings, so that this waits for a connection that
 * is on its way. A first request does not need it.
 */
async function eraFor(
  { params, session, signal }: HostRequest,
  server: string,
): Promise<ProtocolEra | null> {
  const known = session.eraOf(server);
  if (known !== null || params["requestState"] === undefined) return known;
  return await session.eraWhenUp(server, { signal });
}

/** What of a retry is there. */
function ofRound(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
