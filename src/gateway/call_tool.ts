import { isAbortError, toHotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ToolAddress } from "../tools/public_name.ts";
import { failureResult } from "../tools/failure_result.ts";
import { ERROR_KEY, forwarded, forwardedAnswer, serversOwnError } from "./forward_request.ts";
import type { HostRequest } from "./host_request.ts";
import { lateServers } from "./late_servers.ts";
import { withRenamedLinks } from "./offer/links.ts";
import { type Answer, INVALID_PARAMS, refused } from "./rpc.ts";

/**
 * `tools/call`: the result is given on as it was received. An error that the server itself answered
 * with stays that error; everything else that keeps a call from its result becomes a result with
 * `isError`, which a model can read.
 */
export async function callTool(request: HostRequest): Promise<Answer> {
  const { params, offer, host, signal } = request;
  const { name, arguments: given } = params;
  if (typeof name !== "string") {
    return refused(INVALID_PARAMS, 'Invalid params: "name" is required, a text');
  }
  const args = given ?? {};
  if (!isJsonObject(args)) {
    return refused(INVALID_PARAMS, 'Invalid params: "arguments" is no object');
  }
  const address = offer.tools.find(name) ?? await addressOf(request, name);
  if (address === null) {
    return refused(INVALID_PARAMS, `Unknown tool: ${JSON.stringify(name.slice(0, 128))}`);
  }
  const { server, tool } = address;
  try {
    const result = await forwarded(request, server, { name: tool, arguments: args });
    return forwardedAnswer(
      request,
      withRenamedLinks(result, (uri) => offer.resources.nameFor(server, uri, host.principal)),
    );
  } catch (thrown) {
    if (signal.aborted || isAbortError(thrown)) throw thrown;
    return failedCall(request, address, thrown);
  }
}

/**
 * The tool that a name means; `null` when it was never on offer. A host may remember one from
 * another day whose server is still on its way: that is waited for.
 */
export async function addressOf(request: HostRequest, name: string): Promise<ToolAddress | null> {
  const { tools } = request.offer;
  const known = tools.find(name);
  if (known !== null) return known;
  await lateServers(request, "tools", request.signal);
  return tools.find(name);
}

/** What a host is told of a call that came to nothing. */
function failedCall(
  request: HostRequest,
  { server, tool }: ToolAddress,
  thrown: unknown,
): Answer {
  const own = serversOwnError(thrown, request.isModern);
  if (own !== null) return own;
  const { code } = toHotplugError(thrown);
  const { content } = failureResult(server, tool, thrown);
  const result: JsonObject = {
    content: content.map((block) => ({ ...block })),
    isError: true,
    // Some hosts give this to their model, too: it says nothing that the text does not.
    _meta: { [ERROR_KEY]: { server, code } },
  };
  return forwardedAnswer(request, result);
}
