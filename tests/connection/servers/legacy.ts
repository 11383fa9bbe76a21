// A server of SDK 1.x, which ends at 2025-11-25.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "legacy", version: "1.0.0" });
server.registerTool(
  "add",
  { inputSchema: { a: z.number(), b: z.number() } },
  ({ a, b }: { a: number; b: number }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }),
);
server.registerPrompt(
  "greet",
  { argsSchema: { name: z.string() } },
  ({ name }: { name: string }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }],
  }),
);
server.registerResource("note", "note://one", {}, (uri: URL) => ({
  contents: [{ uri: uri.href, text: "a note" }],
}));
await server.connect(new StdioServerTransport());
