import { callTool, getPrompt, readResource } from "../connection/calls.ts";
import { callTimeout } from "../definitions/timeouts.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ErrorInfo, HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { CallToolResult, RequestOptions, ToolCaller } from "../model/tool.ts";
import type { RunPermission } from "./run_permission.ts";
import type { ServerRegistries } from "./server_registries.ts";
import type { ToolView } from "./tool_view.ts";
import { noSuchTool } from "./unavailable.ts";

/** What calls go through. */
export interface CallParts {
  /** What is registered of each server. */
  readonly registries: ServerRegistries;
  /** The tools on offer. */
  readonly tools: ToolView;
  /** Asked before each call. */
  readonly permission: RunPermission;
  /** Ends a server that may not run any more. */
  readonly block: (name: string, reason: ErrorInfo) => Promise<void>;
}

/**
 * Calls servers, after asking for each call whether they may still run. One that may not is ended,
 * and its calls fail with the reason.
 */
export class ServerCalls {
  readonly #parts: CallParts;

  /** Calls over the connections that are registered at the time of each call. */
  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /**
   * A server's connection, as soon as its handshake is done, if it may be used.
   * @throws {HotplugError} why there is none, or `aborted`.
   */
  async connection(
    server: string,
    signal: AbortSignal | undefined,
  ): Promise<MCPServerConnection> {
    const { registries } = this.#parts;
    return await this.#usable(server, await registries.waitFor(server, signal));
  }

  /** Calls a server over the connection that is there at the time of each call. */
  caller(server: string): ToolCaller {
    return {
      callTool: async (tool, args, options) => {
        const connection = this.#parts.registries.connectionOf(server);
        const usable = await this.#usable(server, connection);
        return await callTool(usable, tool, args, this.#limited(server, options));
      },
    };
  }

  /** Calls a tool by the server's own name for it. */
  async callTool(
    server: string,
    tool: string,
    args: JsonObject,
    options: RequestOptions,
  ): Promise<CallToolResult> {
    const { tools } = this.#parts;
    const connection = await this.connection(server, options.signal);
    const info = tools.find(server, tool);
    if (info === undefined) throw noSuchTool(server, tool, tools.toolsOf(server) ?? []);
    return await callTool(connection, info, args, this.#limited(server, options));
  }

  /** Reads a resource; gives the result as received. */
  async readResource(server: string, uri: string, options: RequestOptions): Promise<JsonObject> {
    return await readResource(await this.connection(server, options.signal), uri, options);
  }

  /** Gets a prompt filled in with its arguments; gives the result as received. */
  async getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<JsonObject> {
    return await getPrompt(await this.connection(server, options.signal), name, args, options);
  }

  /** Asks about every server that is up, and ends those that may not run. Never rejects. */
  async recheck(): Promise<void> {
    const { connections, pendingToolLoads } = this.#parts.registries;
    const up = [...pendingToolLoads, ...connections];
    await Promise.all(up.map(async ([server, connection]) => {
      await this.#refused(server, connection);
    }));
  }

  /** The options with the time limit of the definition as it is now, without another one. */
  #limited(server: string, options: RequestOptions = {}): RequestOptions {
    const config = this.#parts.registries.rows.get(server)?.config;
    if (config === undefined || options.timeout !== undefined) return options;
    return { ...options, timeout: callTimeout(config) };
  }

  /** The connection, if it may be used. */
  async #usable(server: string, connection: MCPServerConnection): Promise<MCPServerConnection> {
    const refusal = await this.#refused(server, connection);
    if (refusal !== null) throw refusal;
    return connection;
  }

  /** Why a connection may not be used, after its server was ended; `null` when it may. */
  async #refused(server: string, connection: MCPServerConnection): Promise<HotplugError | null> {
    const { registries, permission, block } = this.#parts;
    const refusal = await permission.refusalOf(connection);
    if (refusal === null) return null;
    // Else it has been ended or replaced meanwhile.
    const current = registries.connections.get(server) ?? registries.pendingToolLoads.get(server);
    if (current === connection) await block(server, refusal.toInfo());
    return refusal;
  }
}
