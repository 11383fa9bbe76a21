/**
 * A server over Streamable HTTP whose tool list changes when told to, beside the protocol:
 * `sdk_changing.ts <legacy | modern> [port]`. `legacy` is made with the SDK's 1.x line and keeps
 * sessions, `modern` with 2.x. Its tool `version_<n>` tells how often the list has changed.
 *
 * `POST /change?times=<n>&ms=<ms>` changes it so many times within that time and answers afterwards;
 * `GET /reads` tells how often tools were listed.
 * @module
 */
import { createMcpHandler, McpServer as ModernServer } from "@modelcontextprotocol/server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { announce, portArgument } from "./sdk_tools.ts";

/** What speaks the protocol. */
interface Protocol {
  /** Tells every client that the list has changed. */
  readonly changed: () => void;
  /** Answers a request to the endpoint. */
  readonly answer: (request: Request) => Promise<Response>;
}

let version = 0;
let reads = 0;

function legacy(): Protocol {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const renames = new Set<() => void>();
  return {
    changed(): void {
      for (const rename of renames) rename();
    },
    async answer(request): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      const known = id === null ? undefined : sessions.get(id);
      if (known !== undefined) return await known.handleRequest(request);
      if (id !== null) return new Response("Session not found", { status: 404 });
      const mcp = new McpServer({ name: "changing", version: "1.0.0" });
      const tool = mcp.registerTool(`version_${version}`, {}, () => ({ content: [] }));
      mcp.registerTool("echo", { inputSchema: { text: z.string() } }, (
        { text }: { text: string },
      ) => ({
        content: [{ type: "text", text }],
      }));
      const rename = (): void => tool.update({ name: `version_${version}` });
      const transport: WebStandardStreamableHTTPServerTransport =
        new WebStandardStreamableHTTPServerTransport({
          sessionIdGenerator: () => crypto.randomUUID(),
          onsessioninitialized: (session: string): void => {
            sessions.set(session, transport);
            renames.add(rename);
          },
          onsessionclosed: (session: string): void => {
            sessions.delete(session);
            renames.delete(rename);
          },
        });
      await mcp.connect(transport);
      return await transport.handleRequest(request);
    },
  };
}

function modern(): Protocol {
  const handler = createMcpHandler(() => {
    const mcp = new ModernServer({ name: "changing", version: "1.0.0" }, {
      capabilities: { tools: { listChanged: true } },
    });
    mcp.registerTool(`version_${version}`, {}, () => ({ content: [] }));
    mcp.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    return mcp;
  }, { legacy: "reject" });
  return {
    changed: () => handler.notify.toolsChanged(),
    answer: (request) => handler.fetch(request),
  };
}

/** Changes the list so many times, spread over that time. */
async function change({ changed }: Protocol, times: number, ms: number): Promise<void> {
  const begun = performance.now();
  for (let done = 0; done < times;) {
    const due = ms === 0 ? times : Math.ceil(times * (performance.now() - begun) / ms);
    for (; done < Math.min(due, times); done++) {
      version++;
      changed();
    }
    await sleep(done < times ? 10 : 0);
  }
}

const protocol = process.argv[2] === "modern" ? modern() : legacy();

Deno.serve({
  hostname: "127.0.0.1",
  port: portArgument(),
  onListen: ({ port }) => announce(port),
}, async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/reads") return Response.json(reads);
  if (pathname === "/change") {
    await change(protocol, Number(searchParams.get("times")), Number(searchParams.get("ms")));
    return Response.json(version);
  }
  if (request.method !== "POST") return await protocol.answer(request);
  const body = await request.text();
  if (body.includes('"tools/list"')) reads++;
  const { url, headers } = request;
  return await protocol.answer(new Request(url, { method: "POST", headers, body }));
});
