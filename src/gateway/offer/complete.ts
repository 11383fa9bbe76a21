import { HotplugError } from "../../model/errors.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { failedRequest, forwarded, forwardedAnswer } from "../forward_request.ts";
import type { HostRequest } from "../host_request.ts";
import { type Answer, INVALID_PARAMS, METHOD_NOT_FOUND, refused } from "../rpc.ts";
import { located } from "./locate.ts";
import { promptOf, unknownPrompt } from "./prompt_methods.ts";

/** No proposals: what a server without completions is taken to answer. */
const NOTHING: JsonObject = { completion: { values: [], total: 0, hasMore: false } };

/** What is completed, as its server knows it. */
interface Completed {
  readonly server: string;
  /** The reference in the server's own words. */
  readonly ref: JsonObject;
}

/** `completion/complete`: what the server of a prompt or a template proposes for an argument. */
export async function complete(request: HostRequest): Promise<Answer> {
  const { ref } = request.params;
  const found = isJsonObject(ref) ? await completed(request, ref) : null;
  if (found === null) {
    return refused(INVALID_PARAMS, 'Invalid params: "ref" names neither prompt nor resource');
  }
  if ("refusal" in found) return found.refusal;
  const { server } = found;
  try {
    const result = await forwarded(request, server, { ref: found.ref });
    return forwardedAnswer(request, result);
  } catch (thrown) {
    // A host asks since the gateway says that it completes, and its user has done nothing wrong.
    if (isUnsupported(request, server, thrown)) return forwardedAnswer(request, NOTHING);
    return failedRequest(request, server, thrown);
  }
}

/** Finds what is to be completed; `null` for a reference of neither kind. */
async function completed(
  request: HostRequest,
  ref: JsonObject,
): Promise<Completed | { readonly refusal: Answer } | null> {
  const { type, name, uri } = ref;
  if (type === "ref/prompt" && typeof name === "string") {
    const address = await promptOf(request, name);
    if (address === null) return { refusal: unknownPrompt(name) };
    return { server: address.server, ref: { ...ref, name: address.prompt } };
  }
  if (type !== "ref/resource" || typeof uri !== "string") return null;
  const template = request.offer.resources.findTemplate(uri);
  const found = template === null
    ? await located(request, uri, request.signal)
    : { address: template };
  if ("refusal" in found) return found;
  const { address } = found;
  return { server: address.server, ref: { ...ref, uri: address.uri } };
}

/** Whether a server only says that it has no completions, as it has said before. */
function isUnsupported({ session }: HostRequest, server: string, thrown: unknown): boolean {
  return thrown instanceof HotplugError && thrown.details["code"] === METHOD_NOT_FOUND &&
    session.capabilitiesOf(server)["completions"] === undefined;
}
