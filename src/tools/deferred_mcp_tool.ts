import { unlessAborted } from "../model/abort.ts";
import type { JsonObject } from "../model/json.ts";
import type { CallToolResult, RequestOptions, ToolCaller } from "../model/tool.ts";
import type { ToolInfo } from "../model/listing.ts";
import { MCPTool, type ToolOffer } from "./mcp_tool.ts";

/**
 * Gives what calls go through as soon as the server is connected.
 * @param options `signal` is the call's: when it fires nobody waits any longer.
 * @throws Why the connection did not come about.
 */
export type WaitForCaller = (
  options: { readonly signal: AbortSignal | undefined },
) => Promise<ToolCaller>;

/**
 * A tool known from the cache, of a server that is still connecting: each call first waits for the
 * connection. Everything else is as in {@linkcode MCPTool}.
 */
export class DeferredMCPTool extends MCPTool {
  /** A tool that calls through what `wait` gives. */
  constructor(offer: ToolOffer, wait: WaitForCaller) {
    super(offer, new AwaitedCaller(wait));
  }
}

/** A caller that is waited for anew at each call: after a reconnect it may be another one. */
class AwaitedCaller implements ToolCaller {
  readonly #wait: WaitForCaller;

  constructor(wait: WaitForCaller) {
    this.#wait = wait;
  }

  async callTool(
    tool: ToolInfo,
    args: JsonObject,
    options: RequestOptions,
  ): Promise<CallToolResult> {
    const caller = await unlessAborted(this.#wait({ signal: options.signal }), options.signal);
    return await caller.callTool(tool, args, options);
  }
}
