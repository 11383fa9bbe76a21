/**
 * A server made with the SDK's 1.x line: nothing newer than 2025-11-25.
 * `sdk_legacy.ts [stdio | http [port]]`; over HTTP it keeps sessions.
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import process from "node:process";
import { z } from "zod";
import { announce, portArgument, whoami } from "./sdk_tools.ts";

function server(): McpServer {
  const mcp = new McpServer({ name: "legacy", version: "1.0.0" });
  mcp.registerTool("whoami", { description: "Says which server this is" }, () => ({
    content: [{ type: "text", text: whoami("legacy") }],
  }));
  mcp.registerTool("echo", {
    description: "Gives its text back",
    inputSchema: { text: z.string() },
  }, ({ text }: { text: string }) => ({ content: [{ type: "text", text }] }));
  mcp.registerResource("note", "note://one", { description: "A note" }, (uri: URL) => ({
    contents: [{ uri: uri.href, text: "first note" }],
  }));
  mcp.registerPrompt("greet", { description: "Greets" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Say hello" } }],
  }));
  return mcp;
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function answer(request: Request): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const known = id === null ? undefined : sessions.get(id);
  if (known !== undefined) return await known.handleRequest(request);
  if (id !== null) return new Response("Session not found", { status: 404 });
  const transport: WebStandardStreamableHTTPServerTransport =
    new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session: string) => void sessions.set(session, transport),
      onsessionclosed: (session: string) => void sessions.delete(session),
    });
  await server().connect(transport);
  return await transport.handleRequest(request);
}

if (process.argv[2] === "http") {
  Deno.serve({
    hostname: "127.0.0.1",
    port: portArgument(),
    onListen: ({ port }) => announce(port),
  }, answer);
} else {
  await server().connect(new StdioServerTransport());
}
