import { callTool } from "../../src/connection/calls.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { HostHandlers } from "../../src/model/host_handlers.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { RequestOptions } from "../../src/model/tool.ts";
import { type Bench, withBench } from "./harness.ts";
import { serveAskingLegacy } from "./servers/asking_legacy.ts";
import { toolNamed } from "./tool_named.ts";

/** A form with defaults of every kind. */
export const FORM: { readonly method: string; readonly params: JsonObject } = {
  method: "elicitation/create",
  params: {
    message: "Who?",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string" },
        colour: { type: "string", default: "green" },
        count: { type: "integer", default: 3 },
        done: { type: "boolean", default: true },
        kinds: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["b"] },
      },
    },
  },
};

/** Handlers for everything, which answer at once. */
export const HANDLERS: HostHandlers = {
  elicit: () => ({ action: "accept", content: { name: "Ada", done: false } }),
  elicitUrl: () => ({ action: "accept" }),
  sample: ({ messages }) => ({
    role: "assistant",
    model: "m1",
    content: { type: "text", text: `${messages.length} messages` },
    stopReason: "endTurn",
  }),
  roots: () => [{ uri: "file:///work", name: "work" }, { uri: "file:///other" }],
};

/** Has the server ask its client for something; gives what the server got. */
export async function asked(
  connection: MCPServerConnection,
  request: { readonly method: string; readonly params?: JsonObject },
  options: RequestOptions & { readonly within?: number } = {},
): Promise<JsonObject> {
  const { within, ...rest } = options;
  const args = { ...request, ...(within === undefined ? {} : { within }) };
  const result = await callTool(connection, toolNamed("ask"), args, rest);
  return JSON.parse(String(result.content[0]?.["text"]));
}

/** Runs a test over both transports of the server that asks. */
export async function overBoth(
  test: (
    connect: (handlers?: HostHandlers, capabilities?: JsonObject) => Promise<
      MCPServerConnection
    >,
    bench: Bench,
  ) => Promise<void>,
): Promise<void> {
  const http = serveAskingLegacy();
  try {
    await withBench(async (bench) => {
      for (
        const config of [
          bench.program("asking_legacy.ts"),
          { url: `http://127.0.0.1:${http.addr.port}/mcp` },
        ]
      ) {
        const opened: MCPServerConnection[] = [];
        await test(async (handlers, capabilities) => {
          const connection = await bench.connect(config, { handlers, capabilities });
          opened.push(connection);
          return connection;
        }, bench);
        for (const connection of opened) await connection.close();
      }
    });
  } finally {
    await http.shutdown();
  }
}
