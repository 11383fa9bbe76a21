// A server of the protocol's own SDK 2.x. `dual` speaks both eras, `modern` refuses the legacy one.
import { type McpServerFactory, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** Three tools: one that answers, one with a header parameter, one that asks for input. */
export const factory: McpServerFactory = (): Server => {
  const server = new Server({ name: "two-eras", version: "2.0.0" }, {
    capabilities: { tools: { listChanged: true } },
    instructions: "Be kind",
  });
  const region = { type: "string" as const, "x-mcp-header": "Region" };
  server.setRequestHandler("tools/list", () => ({
    ttlMs: 60_000,
    cacheScope: "private" as const,
    tools: [
      { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
      { name: "region", inputSchema: { type: "object", properties: { region } } },
      { name: "ask", inputSchema: { type: "object" } },
      {
        name: "bad-header",
        inputSchema: { type: "object", properties: { n: { type: "number", "x-mcp-header": "N" } } },
      },
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    if (params.name === "ask") {
      return {
        resultType: "input_required",
        inputRequests: {},
        requestState: "s",
      } as never;
    }
    if (params.name === "slow") {
      await new Promise<void>((resolve) => {
        context.mcpReq.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      Deno.stderr.writeSync(new TextEncoder().encode("cancelled at the server\n"));
    }
    return { content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }] };
  });
  return server;
};

if (import.meta.main) {
  serveStdio(factory, { legacy: Deno.args[0] === "modern" ? "reject" : "serve" });
}
