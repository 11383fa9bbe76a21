/**
 * A server made with the SDK's 2.x line, with everything that the conformance suite asks of one:
 * `modern_fixture.ts [stdio | http [port]]`. It speaks nothing older than 2026-07-28.
 * @module
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type CompleteResult,
  createMcpHandler,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequiredResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type McpHttpHandler,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import type { JsonObject } from "../../../mod.ts";
import { type Behaviour, text, type Work } from "./behaviour.ts";
import { completionOf, contentsOf, RESOURCES, TEMPLATES } from "./content.ts";
import { serveOnLoopback } from "./loopback.ts";
import { Offer } from "./offer.ts";
import { nextStep, type Progress, START } from "./rounds.ts";

const offer = new Offer();
const states = createRequestStateCodec<Progress>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** Tells the hosts that listen; over stdio the server itself does. */
let handler: McpHttpHandler | undefined;

/** A server: over stdio for its one host, over HTTP for one request. */
function makeServer(): Server {
  const server = new Server({ name: "modern-fixture", version: "2.0.0" }, {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    },
    requestState: { verify: states.verify },
  });
  server.setRequestHandler("tools/list", () => ({ tools: offer.listedTools() }) as ListToolsResult);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const args = (params.arguments ?? {}) as JsonObject;
    try {
      const tool = offer.tool(params.name);
      const asked = await ask(tool, args, context);
      if ("needed" in asked) return asked.needed;
      const content = await tool.run(args, workOf(server, context), asked.answers);
      return { content } as unknown as CallToolResult;
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      return { content: [text(words)], isError: true } as CallToolResult;
    }
  });
  server.setRequestHandler(
    "prompts/list",
    () => ({ prompts: offer.listedPrompts() }) as ListPromptsResult,
  );
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const args = params.arguments ?? {};
    const prompt = offer.prompt(params.name);
    const asked = await ask(prompt, args, context);
    if ("needed" in asked) return asked.needed;
    const messages = prompt.run(args, asked.answers).map((content) => ({ role: "user", content }));
    return { messages } as GetPromptResult;
  });
  server.setRequestHandler(
    "resources/list",
    () => ({ resources: RESOURCES }) as unknown as ListResourcesResult,
  );
  server.setRequestHandler(
    "resources/templates/list",
    () => ({ resourceTemplates: TEMPLATES }) as unknown as ListResourceTemplatesResult,
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const contents = contentsOf(uri);
    if (contents === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [contents] } as unknown as ReadResourceResult;
  });
  server.setRequestHandler(
    "completion/complete",
    ({ params }) => ({ completion: completionOf(params.argument.value) }) as CompleteResult,
  );
  return server;
}

/** Every answer of the host, by key; or, while one is missing, the result that asks for it. */
async function ask(
  { rounds, keepsState = false }: Behaviour,
  args: JsonObject,
  { mcpReq }: ServerContext,
): Promise<{ readonly answers: JsonObject } | { readonly needed: InputRequiredResult }> {
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as JsonObject;
  const progress = mcpReq.requestState<Progress>() ?? START;
  const responses = (mcpReq.inputResponses ?? {}) as JsonObject;
  const step = nextStep(rounds?.(args, capabilities) ?? [], progress, responses);
  if (step.questions === null) return { answers: step.progress.answers };
  const requestState = keepsState ? { requestState: await states.mint(step.progress) } : {};
  const needed = {
    resultType: "input_required",
    inputRequests: step.questions,
    ...requestState,
  } as unknown as InputRequiredResult;
  return { needed };
}

/** What this era does in the course of a request. */
function workOf(server: Server, { mcpReq }: ServerContext): Work {
  const token = mcpReq._meta?.progressToken;
  return {
    log: (words) => mcpReq.log("info", words),
    async progress(progress): Promise<void> {
      if (token === undefined) return;
      const params = { progressToken: token, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    },
    // Its streams cannot be resumed.
    hangUp: () => {},
    change(list): void {
      offer.change(list);
      const { toolsChanged, promptsChanged } = handler?.notify ?? {
        toolsChanged: () => void server.sendToolListChanged(),
        promptsChanged: () => void server.sendPromptListChanged(),
      };
      if (list === "tools") toolsChanged();
      else promptsChanged();
    },
  };
}

if (process.argv[2] === "http") {
  handler = createMcpHandler(makeServer, { legacy: "reject" });
  serveOnLoopback(handler.fetch);
} else {
  serveStdio(makeServer, { legacy: "reject" });
}
