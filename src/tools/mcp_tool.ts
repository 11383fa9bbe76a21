import type { JsonObject } from "../model/json.ts";
import type { ToolInfo } from "../model/listing.ts";
import type { RequestOptions, Tool, ToolCaller, ToolResult } from "../model/tool.ts";
import { abortOf, failureResult } from "./failure_result.ts";
import { describingText, modelSchemaText } from "./model_text.ts";
import type { RenderOptions } from "./render_result.ts";
import { renderResult } from "./render_result.ts";

/** What a tool is offered as. */
export interface ToolOffer extends RenderOptions {
  /** Public name. */
  readonly name: string;
  /** The server's name in the plan. */
  readonly server: string;
  /** Label of the source that defines the server; `null` when it is not known. */
  readonly provider: string | null;
  /** The tool as its server lists it. */
  readonly info: ToolInfo;
  /** Whether the host may call it without asking. */
  readonly autoApprove: boolean;
}

/** A tool of a server whose connection is there. */
export class MCPTool implements Tool {
  /** Public name: what the model calls it by. */
  readonly name: string;
  /** Title or raw name, for humans. */
  readonly label: string;
  /** Description for the model; invisible characters removed. */
  readonly description: string;
  /** JSON Schema of the arguments; an object schema also when the server gave no type. */
  readonly parameters: JsonObject;
  /** Name of the server behind it. */
  readonly server: string;
  /** `mcp:<server> via <source>`, or `mcp:<server>`. */
  readonly path: string;
  /** The tool as its server lists it. */
  readonly info: ToolInfo;
  /** Whether the host may call it without asking. */
  readonly autoApprove: boolean;
  readonly #caller: ToolCaller;
  readonly #render: RenderOptions;

  /** A tool that calls through `caller`. */
  constructor(offer: ToolOffer, caller: ToolCaller) {
    const { info, server, provider } = offer;
    this.name = offer.name;
    this.label = toolLabel(info);
    this.description = describingText(info.description);
    this.parameters = argumentSchema(info.inputSchema);
    this.server = server;
    this.path = provider === null ? `mcp:${server}` : `mcp:${server} via ${provider}`;
    this.info = info;
    this.autoApprove = offer.autoApprove;
    this.#caller = caller;
    this.#render = offer;
  }

  /**
   * Calls it. Every failure is a result whose text starts with `MCP error:`.
   * @throws {HotplugError} `aborted`, when `options.signal` fired; nothing else.
   */
  async execute(args: JsonObject, options: RequestOptions = {}): Promise<ToolResult> {
    try {
      options.signal?.throwIfAborted();
      const result = await this.#caller.callTool(this.info, args, options);
      return await renderResult(this.server, this.info, result, this.#render);
    } catch (thrown) {
      const abort = abortOf(thrown, options.signal);
      if (abort !== null) throw abort;
      return failureResult(this.server, this.info.name, thrown);
    }
  }
}

function toolLabel(info: ToolInfo): string {
  const annotated = info.annotations?.["title"];
  const title = info.title ?? (typeof annotated === "string" ? annotated : "");
  return describingText(title) || describingText(info.name);
}

/** Arguments are an object whatever the server's schema leaves out. [D07] */
function argumentSchema(schema: JsonObject): JsonObject {
  const clean = modelSchemaText(schema);
  if (clean["type"] !== undefined && clean["type"] !== null) return clean;
  return { ...clean, type: "object", properties: clean["properties"] ?? {} };
}
