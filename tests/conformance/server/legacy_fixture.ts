/**
 * A server made with the SDK's 1.x line, with everything that the conformance suite asks of one:
 * `legacy_fixture.ts [stdio | http [port]]`. Over HTTP it keeps sessions.
 * @module
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import process from "node:process";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../mod.ts";
import { type Behaviour, type Question, text, type Work } from "./behaviour.ts";
import { completionOf, contentsOf, RESOURCES, TEMPLATES } from "./content.ts";
import { makeEventStore } from "./event_store.ts";
import { serveOnLoopback } from "./loopback.ts";
import { Offer } from "./offer.ts";

/** A request of the host by a name. */
interface Named {
  readonly params: { readonly name: string; readonly arguments?: JsonObject };
}

/** A request to complete an argument. */
interface Completion {
  readonly params: { readonly argument: { readonly value: string } };
}

/** What the SDK gives a handler beside the request. */
interface Extra {
  readonly sendRequest: (question: Question, schema: z.ZodType) => Promise<JsonValue>;
  readonly sendNotification: (notification: JsonObject) => Promise<void>;
  readonly closeSSEStream?: () => void;
  readonly _meta?: { readonly progressToken?: string | number };
}

/** What a server of this era says that a resource is not there with. */
const RESOURCE_NOT_FOUND = -32002;

const offer = new Offer();

/** Every server that a host has a session with. */
const servers = new Set<Server>();

/** A server for one host. */
function makeServer(): Server {
  const server = new Server({ name: "legacy-fixture", version: "1.0.0" }, {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    },
    enforceStrictCapabilities: true,
  });
  servers.add(server);
  server.onclose = (): void => void servers.delete(server);
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: offer.listedTools(),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }: Named, extra: Extra) => {
    const args = params.arguments ?? {};
    try {
      const tool = offer.tool(params.name);
      const answers = await ask(server, tool, args, extra);
      return { content: await tool.run(args, workOf(extra), answers) };
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      return { content: [text(words)], isError: true };
    }
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: offer.listedPrompts(),
  }));
  server.setRequestHandler(
    types.GetPromptRequestSchema,
    async ({ params }: Named, extra: Extra) => {
      const args = params.arguments ?? {};
      const prompt = offer.prompt(params.name);
      const answers = await ask(server, prompt, args, extra);
      const messages = prompt.run(args, answers).map((content) => ({ role: "user", content }));
      return { messages };
    },
  );
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: RESOURCES,
  }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: TEMPLATES,
  }));
  server.setRequestHandler(
    types.ReadResourceRequestSchema,
    ({ params: { uri } }: { readonly params: { readonly uri: string } }) => {
      const contents = contentsOf(uri);
      if (contents === undefined) {
        throw new types.McpError(RESOURCE_NOT_FOUND, "Resource not found", { uri });
      }
      return { contents: [contents] };
    },
  );
  server.setRequestHandler(types.SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.CompleteRequestSchema, ({ params }: Completion) => ({
    completion: completionOf(params.argument.value),
  }));
  return server;
}

/** Asks the host every question, the questions of a round at once; gives the answers by key. */
async function ask(
  server: Server,
  { rounds }: Behaviour,
  args: JsonObject,
  { sendRequest }: Extra,
): Promise<JsonObject> {
  const answers: Record<string, JsonValue> = {};
  const capabilities = { ...server.getClientCapabilities() };
  for (const round of rounds?.(args, capabilities) ?? []) {
    await Promise.all(
      Object.entries(round).map(async ([key, question]) => {
        answers[key] = await sendRequest(question, z.looseObject({}));
      }),
    );
  }
  return answers;
}

/** What this era does in the course of a request: everything goes on the stream of its answer. */
function workOf({ sendNotification, closeSSEStream, _meta }: Extra): Work {
  const token = _meta?.progressToken;
  return {
    log: (data) =>
      sendNotification({ method: "notifications/message", params: { level: "info", data } }),
    async progress(progress): Promise<void> {
      if (token === undefined) return;
      const params = { progressToken: token, progress, total: 100 };
      await sendNotification({ method: "notifications/progress", params });
    },
    hangUp: () => closeSSEStream?.(),
    change(list): void {
      offer.change(list);
      for (const server of servers) {
        void (list === "tools" ? server.sendToolListChanged() : server.sendPromptListChanged());
      }
    },
  };
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

/** Answers a request to the endpoint in its session, or in a new one. */
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
      eventStore: makeEventStore(),
      retryInterval: 50,
    });
  await makeServer().connect(transport);
  return await transport.handleRequest(request);
}

if (process.argv[2] === "http") serveOnLoopback(answer);
else await makeServer().connect(new StdioServerTransport());
