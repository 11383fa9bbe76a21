// A server of SDK 2.x that asks its client for things in its results, and tells of changes.
import { inputRequired, type McpServerFactory, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const schema = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const },
    colour: { type: "string" as const, default: "green" },
  },
};

type Said = {
  readonly content: { readonly type: "text"; readonly text: string }[];
};

/** Odd on purpose: it must come back as it went. */
const STATE = '{"a": 1}  \u0161\n';

export const factory: McpServerFactory = (): Server => {
  const server = new Server({ name: "asking", version: "2.0.0" }, {
    capabilities: {
      tools: {},
      prompts: {},
      logging: {},
      completions: {},
      resources: { subscribe: true },
    },
  });
  const form = inputRequired.elicit({ message: "Who?", requestedSchema: schema });
  const all = {
    form,
    page: inputRequired.elicitUrl({ message: "Look", url: "https://example.com/" }),
    model: inputRequired.createMessage({ messages: [], maxTokens: 5 }),
    folders: inputRequired.listRoots(),
  };
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  server.setRequestHandler("completion/complete", ({ params }) => ({
    completion: { values: [`${params.argument.value}!`] },
  }));
  server.setRequestHandler("prompts/get", (_request, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses === undefined) return inputRequired({ inputRequests: { form } }) as never;
    return { messages: [], description: JSON.stringify(inputResponses) };
  });
  server.setRequestHandler("resources/read", (_request, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses === undefined) return inputRequired({ inputRequests: { form } }) as never;
    return { contents: [{ uri: "note://x", text: JSON.stringify(inputResponses) }] };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const args = params.arguments ?? {};
    const say = (value: unknown): Said => ({
      content: [{ type: "text", text: JSON.stringify(value) }],
    });
    const { inputResponses } = mcpReq;
    switch (params.name) {
      case "all": {
        if (inputResponses !== undefined) return say({ args, inputResponses });
        return inputRequired({ inputRequests: all }) as never;
      }
      case "state": {
        const state = mcpReq.requestState();
        if (state === STATE) return say({ inputResponses });
        if (state !== undefined) return say({ wrong: state });
        return inputRequired({ inputRequests: { form }, requestState: STATE }) as never;
      }
      case "later": {
        if (mcpReq.requestState() !== undefined) return say("now");
        return inputRequired({ requestState: "later" }) as never;
      }
      case "endless":
        return inputRequired({ inputRequests: { form } }) as never;
      case "log":
        await mcpReq.log("warning", "from a call");
        return say("logged");
      case "notify":
        await mcpReq.notify({ method: args["method"], params: args["params"] } as never);
        return say("told");
      case "report":
        await mcpReq.notify({
          method: "notifications/progress",
          params: { ...args, progressToken: mcpReq._meta?.progressToken ?? "" } as never,
        });
        return say("done");
      case "touch":
        await server.sendResourceUpdated({ uri: String(args["uri"]) });
        return say("touched");
      case "progress":
        for (let step = 1; step <= 5; step++) {
          await new Promise((resolve) => setTimeout(resolve, 150));
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: mcpReq._meta?.progressToken ?? "", progress: step },
          });
        }
        return say("done");
      default:
        return say(null);
    }
  });
  return server;
};

if (import.meta.main) serveStdio(factory, { legacy: "reject" });
