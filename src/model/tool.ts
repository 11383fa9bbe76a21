import type { JsonObject, JsonValue } from "./json.ts";
import type { ToolInfo } from "./listing.ts";

/** How far a call has come, as its server reports it. */
export interface Progress {
  /** Work done so far, in the server's unit. */
  readonly progress: number;
  /** Work in all, if known. */
  readonly total?: number;
  /** What it is doing. */
  readonly message?: string;
}

/** What every request to a server takes. */
export interface RequestOptions {
  /** Aborting it cancels the request at the server and rejects at once. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without an answer or progress. Default: the server's `callTimeout`. */
  readonly timeout?: number | undefined;
  /**
   * Called for each progress notification; `raw` are its parameters as received, but for the token.
   */
  readonly onProgress?: ((progress: Progress, raw: JsonObject) => void) | undefined;
  /** Further fields of the request's `_meta`, such as a trace context. */
  readonly meta?: JsonObject | undefined;
}

/** The answer to `tools/call`, as received; only the shape of the envelope is sure. */
export interface CallToolResult {
  /** Content blocks, unknown kinds included. */
  readonly content: readonly JsonObject[];
  /** Structured result of any shape, if given. */
  readonly structuredContent?: JsonValue;
  /** Whether the tool says that it failed. */
  readonly isError: boolean;
  /** The whole result as received. */
  readonly raw: JsonObject;
}

/** One piece of what a tool gives to an agent. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** What {@linkcode Tool.execute} answers. It never throws but for an abort. */
export interface ToolResult {
  /** What the model reads: text and images. */
  readonly content: readonly ToolContent[];
  /** Whether the call failed; the text then says why. */
  readonly isError: boolean;
  /** Behind the text: where it came from, and all that the server sent. */
  readonly details: {
    /** The server's name. */
    readonly server: string;
    /** The server's own name of the tool. */
    readonly tool: string;
    /** The result as received; `null` when there is none. */
    readonly result: JsonObject | null;
    /** Path of the file with the whole text, when it was cut. */
    readonly spillFile: string | null;
  };
}

/** A tool that an agent can call. */
export interface Tool {
  /** Public name: what the model calls it by. */
  readonly name: string;
  /** Title or raw name, for humans. */
  readonly label: string;
  /** Description for the model; invisible characters removed. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Name of the server behind it. */
  readonly server: string;
  /** `mcp:<server> via <source>`, or `mcp:<server>`. */
  readonly path: string;
  /** The tool as its server lists it. */
  readonly info: ToolInfo;
  /** Whether the host may call it without asking. */
  readonly autoApprove: boolean;
  /** Calls it. Failures come back as a result whose text starts with `MCP error:`; aborts throw. */
  execute(args: JsonObject, options?: RequestOptions): Promise<ToolResult>;
}

/** What a tool calls through: a connection that is there, or one that is awaited. */
export interface ToolCaller {
  /** Sends `tools/call`. */
  callTool(tool: ToolInfo, args: JsonObject, options: RequestOptions): Promise<CallToolResult>;
}
