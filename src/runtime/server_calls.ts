import {
  callTool,
  complete,
  type Completion,
  type CompletionRef,
  getPrompt,
  readCallResult,
  readResource,
} from "../connection/calls.ts";
import { forwardRequest, ownWords } from "../connection/forward_request.ts";
import type { AskedCall, AskedHooks } from "../interceptors/asked_hooks.ts";
import { unlessAborted } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ForwardOptions } from "../model/forward.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import { sourceView } from "../model/server_view.ts";
import type { CallToolResult, RequestOptions, ToolCaller } from "../model/tool.ts";
import { CallTime } from "./call_time.ts";
import type { Clock } from "./clock.ts";
import type { RequestSender } from "./request_sender.ts";
import type { ServerLives } from "./server_lives.ts";
import type { ServerRegistries } from "./server_registries.ts";
import type { ToolView } from "./tool_view.ts";
import { noSuchTool } from "./unavailable.ts";
import type { UsableConnections } from "./usable_connections.ts";

/** The argument that is being filled in. */
export interface CompletionArgument {
  /** Its name. */
  readonly name: string;
  /** What is there of its value. */
  readonly value: string;
}

/** {@linkcode RequestOptions}, and what is known besides. */
export interface CompletionOptions extends RequestOptions {
  /** Arguments that have been filled in already, by name. */
  readonly context?: Readonly<Record<string, string>>;
}

/** What calls go through. */
export interface CallParts {
  /** What is registered of each server. */
  readonly registries: ServerRegistries;
  /** The life of each server. */
  readonly lives: ServerLives;
  /** The tools on offer. */
  readonly tools: ToolView;
  /** The connections that may be used. */
  readonly usable: UsableConnections;
  /** Sends the requests. */
  readonly sender: RequestSender;
  /** Time. */
  readonly clock: Clock;
  /** Asked before each call of a tool, and told of it afterwards. */
  readonly hooks: AskedHooks;
}

/** Sends a call over one connection, with the arguments that hooks have left. */
type SendCall<Options> = (
  connection: MCPServerConnection,
  args: JsonObject,
  options: Options,
) => Promise<CallToolResult>;

/** One call of a tool. */
interface OutgoingCall<Options> {
  readonly server: string;
  readonly tool: ToolInfo;
  readonly args: JsonObject;
  readonly options: Options;
  readonly time: CallTime | undefined;
  readonly send: SendCall<Options>;
}

/**
 * Calls servers, after asking for each call whether they may still run: one that may not is ended,
 * and its calls fail with the reason.
 */
export class ServerCalls {
  readonly #parts: CallParts;

  /** Calls over the connections that are registered at the time of each call. */
  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** Calls a server over the connection that is there, or on its way, at the time of each call. */
  caller(server: string): ToolCaller {
    return {
      callTool: async (tool, args, options) => await this.#callTool(server, tool, args, options),
    };
  }

  /** Calls a tool by the server's own name for it. */
  async callTool(
    server: string,
    tool: string,
    args: JsonObject,
    options: RequestOptions,
  ): Promise<CallToolResult> {
    const time = new CallTime(this.#parts.clock, options.timeout);
    const info = await this.#found(server, tool, time, options.signal);
    return await this.#callTool(server, info, args, options, time);
  }

  /** Reads a resource; gives the result as received. */
  async readResource(server: string, uri: string, options: RequestOptions): Promise<JsonObject> {
    return await this.#parts.sender.send({
      server,
      method: "resources/read",
      tool: null,
      options,
      send: (connection, left) => readResource(connection, uri, left),
    });
  }

  /** Gets a prompt filled in with its arguments; gives the result as received. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<JsonObject> {
    return await this.#parts.sender.send({
      server,
      method: "prompts/get",
      tool: null,
      target: { name, args },
      options,
      send: (connection, left) => getPrompt(connection, name, args, left),
    });
  }

  /** Asks for proposals for an argument of a prompt or of a resource template. */
  async complete(
    server: string,
    ref: CompletionRef,
    argument: CompletionArgument,
    options: CompletionOptions,
  ): Promise<Completion> {
    const { context } = options;
    return await this.#parts.sender.send({
      server,
      method: "completion/complete",
      tool: null,
      options,
      send: (connection, left) =>
        complete(connection, ref, argument, { ...left, ...(context ? { context } : {}) }),
    });
  }

  /** Sends a request for somebody else, in their own words; gives the result as received. */
  forward(
    server: string,
    method: string,
    given: JsonObject,
    options: ForwardOptions,
  ): Promise<JsonObject> {
    const { params, meta } = ownWords(given, options.meta);
    const own = { ...options, meta };
    const { name, arguments: args } = params;
    if (method === "tools/call" && typeof name === "string") {
      return this.#forwardCall(server, name, params, own);
    }
    const target = method === "prompts/get" && typeof name === "string"
      ? { target: { name, args: isJsonObject(args) ? args : {} } }
      : {};
    return this.#parts.sender.send({
      server,
      method,
      tool: null,
      ...target,
      options: own,
      send: (connection, left) => forwardRequest(connection, { method, params, tool: null }, left),
    });
  }

  /** Forwards a call of a tool. What hooks leave of its arguments stands in the place of them. */
  async #forwardCall(
    server: string,
    name: string,
    params: JsonObject,
    options: ForwardOptions,
  ): Promise<JsonObject> {
    const time = new CallTime(this.#parts.clock, options.timeout);
    const tool = this.#parts.tools.find(server, name) ??
      await this.#found(server, name, time, options.signal);
    const given = params["arguments"];
    const args = isJsonObject(given) ? given : {};
    const send: SendCall<ForwardOptions> = async (connection, allowed, left) => {
      const own = allowed === args ? params : { ...params, arguments: allowed };
      const request = { method: "tools/call", params: own, tool };
      return readCallResult(await forwardRequest(connection, request, left));
    };
    return (await this.#sendCall({ server, tool, args, options, time, send })).raw;
  }

  async #callTool(
    server: string,
    tool: ToolInfo,
    args: JsonObject,
    options: RequestOptions,
    time?: CallTime,
  ): Promise<CallToolResult> {
    const send: SendCall<RequestOptions> = (connection, allowed, left) =>
      callTool(connection, tool, allowed, left);
    return await this.#sendCall({ server, tool, args, options, time, send });
  }

  /** Asks about a call, sends it and tells of it. */
  #sendCall<Options extends RequestOptions>(
    call: OutgoingCall<Options>,
  ): Promise<CallToolResult> {
    const { server, tool, args, options, time, send } = call;
    const asked = (): AskedCall => this.#asked(server, tool);
    return this.#parts.hooks.around(
      asked,
      args,
      options.signal,
      (allowed) =>
        this.#parts.sender.send({
          server,
          method: "tools/call",
          tool,
          time,
          target: { name: tool.name, args: allowed },
          options,
          send: (connection, left) => send(connection, allowed, left),
        }, ({ isError }) => isError),
    );
  }

  /**
   * A tool of a server, which may be on its way.
   * @throws {HotplugError} `unknown-tool`, or why the server has none.
   */
  async #found(
    server: string,
    tool: string,
    time: CallTime,
    signal: AbortSignal | undefined,
  ): Promise<ToolInfo> {
    const { tools } = this.#parts;
    const known = tools.find(server, tool);
    if (known !== undefined) return known;
    await time.within(server, this.#listed(server, tool, signal));
    const listed = tools.find(server, tool);
    if (listed === undefined) throw noSuchTool(server, tool, tools.toolsOf(server) ?? []);
    return listed;
  }

  /** A call, as hooks are asked about it. */
  #asked(server: string, { name, annotations }: ToolInfo): AskedCall {
    const source = this.#parts.registries.sources.get(server);
    return {
      server,
      source: source === undefined ? null : sourceView(source),
      tool: name,
      annotations,
    };
  }

  /**
   * Waits until a tool of a server that is on its way is known, or all are; also when the server is
   * started anew meanwhile.
   * @throws {HotplugError} why there are none.
   */
  async #listed(server: string, tool: string, signal: AbortSignal | undefined): Promise<void> {
    const { lives, registries, tools, usable } = this.#parts;
    do {
      await usable.get(server, signal);
      await unlessAborted(lives.attemptOf(server), signal);
    } while (tools.find(server, tool) === undefined && lives.isRunning(server));
    // It may have failed or been ended, which is not the fault of the tool's name.
    if (tools.toolsOf(server) === undefined) registries.connectionOf(server);
  }
}
