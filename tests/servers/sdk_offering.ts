/**
 * A server over stdio that offers one of everything besides tools, and whose offer changes when a
 * tool is called: `sdk_offering.ts <legacy | modern> <name> [file]`. `legacy` is made with the SDK's 1.x
 * line, `modern` with 2.x. Every server of this program has the resource `shared:note` and the
 * template `shared://{id}`; the rest bears its name.
 *
 * - `grow`: one more prompt and one more resource, and says so
 * - `touch { uri }`: says that a resource has changed
 * - `log { level, text, logger? }`: writes to its log, before it answers
 * - `link { uri }`: links and embeds a resource
 * - `wishes`: what it was asked for so far: `{ calls: [...] }`
 * - `leave`: ends the process; with a file it starts no more
 * @module
 */
import { Server as ModernServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { existsSync, writeFileSync } from "node:fs";
import process from "node:process";

type Params = Record<string, unknown>;

/** Sends a notification. */
type Notify = (method: string, params?: Params) => Promise<void>;

const [era = "legacy", name = "offering", gone] = process.argv.slice(2);
if (gone !== undefined && existsSync(gone)) process.exit(1);

const CAPABILITIES = {
  tools: {},
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/** What is listed to grow, and what was asked for. */
let grown = 0;
const calls: string[] = [];

const numbers = (): readonly number[] => [...Array(grown).keys()];

const tools = ["grow", "touch", "log", "link", "wishes", "leave"].map((tool) => ({
  name: tool,
  inputSchema: { type: "object" as const },
}));

const prompts = (): { name: string; [key: string]: unknown }[] => [
  {
    name: "ask",
    title: "Ask",
    description: `Asks ${name}`,
    arguments: [{ name: "what", description: "What to ask", required: true }],
    _meta: { "example.com/own": 1 },
  },
  ...numbers().map((number) => ({ name: `new_${number}` })),
];

const resources = (): { uri: string; name: string; [key: string]: unknown }[] => [
  { uri: "shared:note", name: "note", mimeType: "text/plain", size: 4 },
  { uri: `${name}:only`, name: "only", annotations: { audience: ["user"], priority: 0.5 } },
  ...numbers().map((number) => ({ uri: `${name}:new/${number}`, name: `new ${number}` })),
];

const templates = (): { uriTemplate: string; name: string; [key: string]: unknown }[] => [
  { uriTemplate: "shared://{id}", name: "shared", description: "By id" },
  { uriTemplate: `${name}://item/{id}`, name: "item" },
];

const read = (
  uri: string,
): { contents: { uri: string; text: string; [key: string]: unknown }[] } => ({
  contents: [
    { uri, mimeType: "text/plain", text: `${uri} of ${name}`, _meta: { "example.com/own": 2 } },
    ...uri === `${name}:only` ? [{ uri: "shared:note", text: "beside" }] : [],
  ],
});

const prompt = ({ name: asked, arguments: given = {} }: Params): {
  description: string;
  messages: {
    role: "user";
    content: { type: "resource"; resource: { uri: string; text: string } };
  }[];
} => ({
  description: `${String(asked)} ${JSON.stringify(given)}`,
  messages: [{
    role: "user",
    content: { type: "resource", resource: { uri: "shared:note", text: `embedded by ${name}` } },
  }],
});

const completion = ({ ref, argument, context }: Params): {
  completion: { values: string[]; total: number; hasMore: boolean };
} => ({
  completion: {
    values: [JSON.stringify({ ref, argument, context })],
    total: 1,
    hasMore: false,
  },
});

async function call(tool: string, args: Params, notify: Notify, ask: Notify): Promise<{
  content: ({ type: "text"; text: string } | {
    type: "resource_link";
    uri: string;
    name: string;
  } | { type: "resource"; resource: { uri: string; text: string } })[];
}> {
  const uri = String(args["uri"]);
  if (tool === "grow") {
    grown++;
    await notify("notifications/prompts/list_changed");
    await notify("notifications/resources/list_changed");
  }
  if (tool === "touch") await notify("notifications/resources/updated", { uri });
  if (tool === "log") {
    const { level, text, logger } = args;
    await ask("notifications/message", { level, data: text, ...(logger ? { logger } : {}) });
  }
  if (tool === "link") {
    return {
      content: [
        { type: "resource_link", uri, name: "linked" },
        { type: "resource", resource: { uri, text: "embedded" } },
      ],
    };
  }
  if (tool === "leave" && gone !== undefined) writeFileSync(gone, "");
  if (tool === "leave") setTimeout(() => process.exit(0), 10);
  return { content: [{ type: "text", text: JSON.stringify({ calls }) }] };
}

function modern(): ModernServer {
  const server = new ModernServer({ name, version: "2.0.0" }, { capabilities: CAPABILITIES });
  const fresh = { ttlMs: 0, cacheScope: "private" as const };
  const notify: Notify = (method, params) => server.notification({ method, params } as never);
  server.setRequestHandler("tools/list", () => ({ tools, ...fresh }));
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts() as never, ...fresh }));
  server.setRequestHandler("resources/list", () => ({ resources: resources() as never, ...fresh }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: templates() as never,
    ...fresh,
  }));
  server.setRequestHandler("prompts/get", ({ params }) => prompt(params));
  server.setRequestHandler("resources/read", ({ params }) => ({
    ...read(params.uri),
    ttlMs: 5,
    cacheScope: "public" as const,
  }));
  server.setRequestHandler("completion/complete", ({ params }) => completion(params as Params));
  server.setRequestHandler(
    "tools/call",
    ({ params }, context) =>
      call(
        params.name,
        params.arguments ?? {},
        notify,
        async (_method, { level, data, logger } = {}) =>
          await context.mcpReq.log(level as never, data, logger as never),
      ),
  );
  return server;
}

function legacy(): Server {
  const server = new Server({ name, version: "1.0.0" }, { capabilities: CAPABILITIES });
  const notify: Notify = (method, params) => server.notification({ method, params } as never);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: prompts() as never }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources() as never }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: templates() as never,
  }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params }: { params: Params }) => prompt(params),
  );
  server.setRequestHandler(
    ReadResourceRequestSchema,
    ({ params }: { params: { uri: string } }) => read(params.uri),
  );
  server.setRequestHandler(
    CompleteRequestSchema,
    ({ params }: { params: Params }) => completion(params),
  );
  server.setRequestHandler(SubscribeRequestSchema, ({ params }: { params: { uri: string } }) => {
    calls.push(`subscribe ${params.uri}`);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }: { params: { uri: string } }) => {
    calls.push(`unsubscribe ${params.uri}`);
    return {};
  });
  let level = 0;
  const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
  server.setRequestHandler(SetLevelRequestSchema, ({ params }: { params: { level: string } }) => {
    calls.push(`level ${params.level}`);
    level = levels.indexOf(params.level);
    return {};
  });
  server.setRequestHandler(
    CallToolRequestSchema,
    ({ params }: { params: { name: string; arguments?: Params } }) =>
      call(params.name, params.arguments ?? {}, notify, async (method, given = {}) => {
        if (levels.indexOf(String(given["level"])) >= level) await notify(method, given);
      }),
  );
  return server;
}

if (era === "modern") serveStdio(modern, { legacy: "reject" });
else await legacy().connect(new StdioServerTransport());
