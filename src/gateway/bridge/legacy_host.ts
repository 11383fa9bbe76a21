import { URL_ELICITATION_REQUIRED } from "../../connection/protocol_error.ts";
import { HotplugError } from "../../model/errors.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { HostRequest } from "../host_request.ts";
import { relayedAsker } from "./relayed_capabilities.ts";
import { askedHost } from "./session_bridge.ts";

/**
 * Sends a request of a host of the legacy era. What a server asks is asked of the host, whichever era
 * the server is of; an error that sends the user to a page goes to the host as it is, since hosts of
 * its era know what to do with that.
 */
export async function forwardForLegacyHost(
  request: HostRequest,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { method, session, asker, ask, signal, onProgress, onLog, meta, tell } = request;
  const { capabilities } = asker;
  const pages: string[] = [];
  try {
    const result = await session.request(server, method, params, {
      signal,
      onProgress,
      onLog: (params) => onLog(server, params),
      meta: meta.forwarded,
      asker: relayedAsker(asker),
      input: { legacy: "forward", modern: "answer" },
      ask: (asked, given, over) => {
        const named = withElicitationId(asked, given, (id) => pages.push(id));
        return askedHost({ capabilities, ask }, asked, named, over);
      },
    });
    for (const elicitationId of pages) {
      tell("notifications/elicitation/complete", { elicitationId });
    }
    return result;
  } catch (thrown) {
    for (const id of pagesOf(thrown)) request.gateway.pages.given(server, id, tell);
    throw thrown;
  }
}

/**
 * A question that sends the user to a page, with a name for that, which hosts of the legacy era ask
 * for and servers of the modern one do not give: there, the business is done when the result is there.
 */
function withElicitationId(
  method: string,
  params: JsonObject,
  onNamed: (id: string) => void,
): JsonObject {
  const isUnnamed = method === "elicitation/create" && params["mode"] === "url" &&
    params["elicitationId"] === undefined;
  if (!isUnnamed) return params;
  const elicitationId = crypto.randomUUID();
  onNamed(elicitationId);
  return { ...params, elicitationId };
}

/** The names of the pages that an error sends the user to. */
function pagesOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof HotplugError)) return [];
  const { code, data } = thrown.details;
  if (code !== URL_ELICITATION_REQUIRED || !isJsonObject(data)) return [];
  const { elicitations } = data;
  const pages = Array.isArray(elicitations) ? elicitations.filter(isJsonObject) : [];
  return pages.flatMap(({ elicitationId: id }) => typeof id === "string" ? [id] : []);
}
