import { withMembers } from "../../connection/result_text.ts";
import type { JsonObject } from "../../model/json.ts";
import { failedRequest, forwarded, forwardedAnswer } from "../forward_request.ts";
import type { HostRequest } from "../host_request.ts";
import { type Answer, INVALID_PARAMS, refused } from "../rpc.ts";
import { type Rename, withRenamedLinks } from "./links.ts";
import { located } from "./locate.ts";
import { mergedAnswer } from "./merged_answer.ts";

/** What the modern era wants to know of each read: that of a legacy server is not to be kept. */
const UNKEPT: JsonObject = { ttlMs: 0, cacheScope: "private" };

/** `resources/list`: what is on offer now, in one page. */
export async function listResources(request: HostRequest): Promise<Answer> {
  return await mergedAnswer(request, "resources", () => {
    const { items, version } = request.offer.resources.list();
    request.onListed("resources", version);
    return items;
  });
}

/** `resources/templates/list`: the same of templates. */
export async function listResourceTemplates(request: HostRequest): Promise<Answer> {
  return await mergedAnswer(request, "resourceTemplates", () => {
    const { items, version } = request.offer.resources.templates();
    request.onListed("resourceTemplates", version);
    return items;
  });
}

/** `resources/read`: what its server gives, as it was received but for the URIs. */
export async function readResource(request: HostRequest): Promise<Answer> {
  const { params: { uri }, offer, host, isModern } = request;
  if (typeof uri !== "string") {
    return refused(INVALID_PARAMS, 'Invalid params: "uri" is required, a text');
  }
  const found = await located(request, uri, request.signal);
  if ("refusal" in found) return found.refusal;
  const { server, uri: own } = found.address;
  try {
    const result = await forwarded(request, server, { uri: own });
    // What was asked for comes back under the name that it was asked for by.
    const rename: Rename = (named) =>
      named === own ? uri : offer.resources.nameFor(server, named, host.principal);
    const answer = withRenamedLinks(result, rename);
    const isKept = !isModern || !isRead(answer) || answer["ttlMs"] !== undefined;
    return forwardedAnswer(request, isKept ? answer : withMembers(answer, UNKEPT));
  } catch (thrown) {
    return failedRequest(request, server, thrown);
  }
}

/** Whether a result is one, and no request for input. */
function isRead({ contents }: JsonObject): boolean {
  return Array.isArray(contents);
}
