import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { z } from "zod";
import { announce, portArgument, whoami } from "./sdk_tools.ts";

/** A server with one tool, one resource and one prompt, made with the SDK's 2.x line. */
function server(name: string): McpServer {
  const mcp = new McpServer({ name, version: "2.0.0" }, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: `Instructions of ${name}`,
  });
  mcp.registerTool("whoami", { description: "Says which server this is" }, () => ({
    content: [{ type: "text", text: whoami(name) }],
  }));
  mcp.registerTool("echo", {
    description: "Gives its text back",
    inputSchema: z.object({ text: z.string() }),
  }, ({ text }) => ({ content: [{ type: "text", text }] }));
  mcp.registerResource("note", "note://one", { description: "A note" }, (uri) => ({
    contents: [{ uri: uri.href, text: "first note" }],
  }));
  mcp.registerPrompt("greet", { description: "Greets" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Say hello" } }],
  }));
  return mcp;
}

/**
 * Runs such a server: over stdio, or over HTTP when the first argument is `http`.
 * `modern` refuses every revision before 2026-07-28, `dual` takes both eras.
 */
export function runV2Server(era: "modern" | "dual"): void {
  if (process.argv[2] !== "http") {
    serveStdio(() => server(era), { legacy: era === "modern" ? "reject" : "serve" });
    return;
  }
  const handler = createMcpHandler(() => server(era), {
    legacy: era === "modern" ? "reject" : "stateless",
  });
  Deno.serve({
    hostname: "127.0.0.1",
    port: portArgument(),
    onListen: ({ port }) => announce(port),
  }, (request) => handler.fetch(request));
}
