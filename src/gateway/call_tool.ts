import { HotplugError, isAbortError, toHotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ToolAddress } from "../tools/public_name.ts";
import { failureResult } from "../tools/failure_result.ts";
import type { HostRequest } from "./host_request.ts";
import { modernResult } from "./protocol_versions.ts";
import { type Answer, INVALID_PARAMS, refused } from "./rpc.ts";

/** Key of `_meta` of a result that stands for a failure: what failed. */
const ERROR_KEY = "dev.hotplug/error";

/** Milliseconds that a call of an unknown name waits for servers that are still on their way. */
const UNKNOWN_MS = 10_000;

/**
 * `tools/call`: the result is given on as it was received. An error that the server itself answered
 * with stays that error; everything else that keeps a call from its result becomes a result with
 * `isError`, which a model can read.
 */
export async function callTool(request: HostRequest): Promise<Answer> {
  const { params, offer, isModern, signal, forward } = request;
  const { name, arguments: given } = params;
  if (typeof name !== "string") {
    return refused(INVALID_PARAMS, 'Invalid params: "name" is required, a text');
  }
  const args = given ?? {};
  if (!isJsonObject(args)) {
    return refused(INVALID_PARAMS, 'Invalid params: "arguments" is no object');
  }
  const address = offer.tools.find(name) ?? await lateTool(request, name);
  if (address === null) {
    return refused(INVALID_PARAMS, `Unknown tool: ${JSON.stringify(name.slice(0, 128))}`);
  }
  try {
    const result = await forward(address.server, { name: address.tool, arguments: args });
    return { result: isModern ? modernResult(result) : result };
  } catch (thrown) {
    if (signal.aborted || isAbortError(thrown)) throw thrown;
    return failedCall(address, thrown, isModern);
  }
}

/** A tool that a host remembers from another day, and whose server is still on its way. */
async function lateTool(request: HostRequest, name: string): Promise<ToolAddress | null> {
  const { gateway, offer, session, signal } = request;
  const waited = new AbortController();
  const over = AbortSignal.any([signal, waited.signal]);
  await Promise.race([session.settled({ signal: over }), gateway.clock.delay(UNKNOWN_MS, over)]);
  waited.abort();
  return offer.tools.find(name);
}

/** What a host is told of a call that came to nothing. */
function failedCall({ server, tool }: ToolAddress, thrown: unknown, isModern: boolean): Answer {
  if (thrown instanceof HotplugError && thrown.code === "protocol-error") {
    const { code, message, data } = thrown.details;
    if (typeof code === "number" && typeof message === "string") {
      return refused(code, message, data === null ? undefined : data as JsonValue);
    }
  }
  const { code } = toHotplugError(thrown);
  const { content } = failureResult(server, tool, thrown);
  const result: JsonObject = {
    content: content.map((block) => ({ ...block })),
    isError: true,
    // Some hosts give this to their model, too: it says nothing that the text does not.
    _meta: { [ERROR_KEY]: { server, code } },
  };
  return { result: isModern ? modernResult(result) : result };
}
