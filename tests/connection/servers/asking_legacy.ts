// A server of SDK 1.x that asks its client for things. `asking_legacy.ts [stdio | http]`; over HTTP
// it keeps sessions, and forgets them all when it is asked for `/forget`.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ListToolsRequestSchema,
  RootsListChangedNotificationSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** What the handlers read of a request. */
interface Asked {
  readonly params: {
    readonly name: string;
    readonly arguments?: Record<string, unknown>;
    readonly uri: string;
    readonly level: string;
    readonly argument: { readonly name: string; readonly value: string };
  };
}

interface Extra {
  readonly _meta?: { readonly progressToken?: string | number };
  sendRequest(request: unknown, schema: unknown, options: unknown): Promise<unknown>;
  sendNotification(notification: unknown): Promise<void>;
}

interface Said {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
}

const Anything = z.object({}).passthrough();

function server(): Server {
  const mcp = new Server({ name: "asking", version: "1.0.0" }, {
    capabilities: {
      tools: {},
      logging: {},
      completions: {},
      prompts: {},
      resources: { subscribe: true },
    },
  });
  const seen: string[] = [];
  const subscribed = new Set<string>();
  let visits = 0;
  mcp.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  mcp.setRequestHandler(SetLevelRequestSchema, ({ params }: Asked) => {
    seen.push(`level ${params.level}`);
    return {};
  });
  mcp.setRequestHandler(SubscribeRequestSchema, ({ params }: Asked) => {
    if (params.uri === "note://refused") throw new Error("No such note");
    subscribed.add(params.uri);
    return {};
  });
  mcp.setRequestHandler(UnsubscribeRequestSchema, ({ params }: Asked) => {
    subscribed.delete(params.uri);
    return {};
  });
  mcp.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    seen.push("roots changed");
  });
  mcp.setRequestHandler(CompleteRequestSchema, ({ params }: Asked) => ({
    completion: { values: [`${params.argument.value}!`, JSON.stringify(params)], total: 7 },
  }));
  mcp.setRequestHandler(CallToolRequestSchema, async ({ params }: Asked, extra: Extra) => {
    const args = params.arguments ?? {};
    const say = (value: unknown): Said => ({
      content: [{ type: "text", text: JSON.stringify(value) }],
    });
    switch (params.name) {
      case "ask": {
        const request = { method: String(args["method"]), params: args["params"] };
        const within = AbortSignal.timeout(Number(args["within"] ?? 20_000));
        // With an id of its own in the server, and on the stream of this call.
        const answer = extra.sendRequest(request, Anything, { signal: within });
        return say(
          await answer.catch(({ code, message, data }) => ({
            code,
            message,
            ...(args["whole"] === true ? { data } : {}),
          })),
        );
      }
      case "visit": {
        if (visits++ > 0) return say("been there");
        const elicitationId = "visit-1";
        if (args["complete"] === true) setTimeout(() => complete(elicitationId), 100);
        throw new UrlElicitationRequiredError([
          { mode: "url", elicitationId, url: "https://example.com/visit", message: "Sign in" },
        ]);
      }
      case "touch":
        for (const uri of subscribed) await mcp.sendResourceUpdated({ uri });
        return say([...subscribed]);
      case "report":
        await extra.sendNotification({
          method: "notifications/progress",
          params: { ...args, progressToken: extra._meta?.progressToken ?? "" },
        });
        return say("done");
      case "notify":
        await extra.sendNotification({ method: args["method"], params: args["params"] });
        return say("told");
      case "log":
        await mcp.sendLoggingMessage({ level: "warning", logger: "part", data: { a: 1 } });
        await mcp.sendLoggingMessage({ level: "info", data: "plain" });
        return say("logged");
      default:
        return say(seen);
    }
  });
  const complete = (elicitationId: string): void => {
    mcp.notification({ method: "notifications/elicitation/complete", params: { elicitationId } });
  };
  return mcp;
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function answer(request: Request): Promise<Response> {
  if (new URL(request.url).pathname === "/forget") {
    for (const transport of sessions.values()) await transport.close();
    sessions.clear();
    return new Response(null, { status: 204 });
  }
  const id = request.headers.get("mcp-session-id");
  const known = id === null ? undefined : sessions.get(id);
  if (known !== undefined) return await known.handleRequest(request);
  if (id !== null) return new Response("Session not found", { status: 404 });
  const transport: WebStandardStreamableHTTPServerTransport =
    new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session: string) => void sessions.set(session, transport),
    });
  await server().connect(transport);
  return await transport.handleRequest(request);
}

/** Serves over HTTP beside a test. */
export function serveAskingLegacy(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
}

if (import.meta.main) await server().connect(new StdioServerTransport());
