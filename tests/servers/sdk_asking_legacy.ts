/**
 * A server made with the SDK's 1.x line that asks its client for things in the middle of requests.
 * `sdk_asking_legacy.ts [stdio | http [port]]`; over HTTP it keeps sessions.
 * @module
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js";
import process from "node:process";
import { z } from "zod";
import { announce, portArgument } from "./sdk_tools.ts";

/** What the handlers read of a request. */
interface Asked {
  readonly params: { readonly name: string; readonly arguments?: Record<string, unknown> };
}

/** What they ask with. */
interface Extra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number };
  sendRequest(request: unknown, schema: unknown, options?: unknown): Promise<unknown>;
  sendNotification(notification: unknown): Promise<void>;
}

const Anything = z.object({}).passthrough();

const FORM = {
  method: "elicitation/create",
  params: {
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string", default: "Bo" } } },
  },
};
const PAGE = {
  method: "elicitation/create",
  params: {
    mode: "url",
    elicitationId: "page-1",
    url: "https://example.com/visit",
    message: "Look",
  },
};
const SAMPLE = {
  method: "sampling/createMessage",
  params: {
    messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
    maxTokens: 5,
  },
};
const ROOTS = { method: "roots/list" };

const QUESTIONS: Readonly<Record<string, unknown>> = {
  form: FORM,
  page: PAGE,
  sample: SAMPLE,
  roots: ROOTS,
  other: { method: "x/other", params: { odd: true } },
};

const TOOLS: readonly string[] = [
  ...Object.keys(QUESTIONS),
  "several",
  "row",
  "steps",
  "visit",
  "late",
  "withdrawn",
  "dies",
  "cancelled",
  "seen",
  "complete",
];

function server(): Server {
  const mcp = new Server({ name: "asking-legacy", version: "1.0.0" }, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
  });
  const seen: unknown[] = [];
  let visits = 0;
  mcp.oninitialized = () => {
    const capabilities = mcp.getClientCapabilities() ?? {};
    seen.push({ capabilities, pid: process.pid });
    if (capabilities.roots !== undefined) void askRoots();
  };
  const askRoots = async (): Promise<void> => {
    seen.push(await answerTo(mcp.request(ROOTS, Anything)));
  };
  mcp.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    seen.push("roots changed");
    void askRoots();
  });
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })),
  }));
  mcp.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: "ask" }] }));
  mcp.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{ uri: "ask://one", name: "one" }],
  }));
  mcp.setRequestHandler(GetPromptRequestSchema, async (_asked: Asked, extra: Extra) => ({
    messages: [],
    description: JSON.stringify(await answerTo(extra.sendRequest(FORM, Anything))),
  }));
  mcp.setRequestHandler(ReadResourceRequestSchema, async (_asked: Asked, extra: Extra) => {
    const text = JSON.stringify(await answerTo(extra.sendRequest(FORM, Anything)));
    return { contents: [{ uri: "ask://one", text }] };
  });
  mcp.setRequestHandler(CallToolRequestSchema, async ({ params }: Asked, extra: Extra) => {
    const { name } = params;
    const ask = (request: unknown, options?: unknown): Promise<unknown> =>
      answerTo(extra.sendRequest(request, Anything, options));
    if (Object.hasOwn(QUESTIONS, name)) return said(await ask(QUESTIONS[name]));
    switch (name) {
      case "several":
        return said(await Promise.all([ask(FORM), ask(SAMPLE), ask(ROOTS)]));
      case "row":
        return said([await ask(FORM), await ask(SAMPLE), await ask(ROOTS)]);
      case "steps": {
        const step = async (progress: number): Promise<void> => {
          const { progressToken } = extra._meta ?? {};
          if (progressToken === undefined) return;
          const report = { progressToken, progress };
          await extra.sendNotification({ method: "notifications/progress", params: report });
        };
        await step(1);
        const answer = await ask(FORM);
        await step(2);
        // A report that comes in one piece with the answer is dropped by some clients.
        await new Promise((resolve) => setTimeout(resolve, 250));
        return said(answer);
      }
      case "visit":
        if (visits++ > 0) return said("been there");
        throw new UrlElicitationRequiredError([PAGE.params]);
      case "complete":
        // The SDK itself refuses where the client has declared no pages.
        await mcp.transport?.send({
          jsonrpc: "2.0",
          method: "notifications/elicitation/complete",
          params: { elicitationId: "page-1" },
        });
        return said("told");
      case "late":
        setTimeout(
          async () => seen.push({ late: await answerTo(mcp.request(FORM, Anything)) }),
          20,
        );
        return said("soon");
      case "withdrawn": {
        const answer = await ask(FORM, { timeout: 300 });
        seen.push("withdrawn");
        return said(answer);
      }
      case "dies":
        void ask(FORM);
        setTimeout(() => process.exit(3), 300);
        return await new Promise(() => {});
      case "cancelled":
        extra.signal.addEventListener("abort", () => seen.push("cancelled"));
        seen.push({ refused: await ask(FORM) });
        return await new Promise(() => {});
      default:
        return said(seen);
    }
  });
  return mcp;
}

function said(value: unknown): { readonly content: readonly unknown[] } {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** An answer of the client, or its error. */
async function answerTo(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (thrown) {
    const { code, message, data } = thrown as { code: number; message: string; data?: unknown };
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
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
