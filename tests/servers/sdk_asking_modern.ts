/**
 * A server made with the SDK's 2.x line that speaks 2026-07-28 only, and answers requests with what it
 * needs of its client first. `sdk_asking_modern.ts [stdio | http [port]]`
 * @module
 */
import { createMcpHandler, inputRequired, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { announce, portArgument } from "./sdk_tools.ts";

/** Odd on purpose: it must come back as it went. */
const STATE = '{"a": 1}  \u0161 ';

const form = inputRequired.elicit({
  message: "Who?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string", default: "Bo" } },
  },
});
const page = inputRequired.elicitUrl({ message: "Look", url: "https://example.com/visit" });
const sample = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
  maxTokens: 5,
});
const roots = inputRequired.listRoots();

const QUESTIONS = { form, page, sample, roots };

type Question = keyof typeof QUESTIONS;

/** Which questions a tool asks at once. */
const AT_ONCE: Readonly<Record<string, readonly Question[]>> = {
  form: ["form"],
  page: ["page"],
  sample: ["sample"],
  roots: ["roots"],
  several: ["form", "sample", "roots"],
};

/** Which it asks one after the other. */
const IN_A_ROW: readonly Question[] = ["form", "sample", "roots"];

function server(): Server {
  const mcp = new Server({ name: "asking-modern", version: "2.0.0" }, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
  });
  mcp.setRequestHandler("tools/list", () => ({
    tools: [...Object.keys(AT_ONCE), "row", "asker", "refuses"].map((name) => ({
      name,
      inputSchema: { type: "object" as const },
    })),
  }));
  mcp.setRequestHandler("prompts/list", () => ({ prompts: [{ name: "ask" }] }));
  mcp.setRequestHandler("resources/list", () => ({
    resources: [{ uri: "ask://two", name: "two" }],
  }));
  mcp.setRequestHandler("prompts/get", (_request, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses === undefined) return inputRequired({ inputRequests: { form } }) as never;
    return { messages: [], description: JSON.stringify(inputResponses) };
  });
  mcp.setRequestHandler("resources/read", (_request, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses === undefined) return inputRequired({ inputRequests: { form } }) as never;
    return { contents: [{ uri: "ask://two", text: JSON.stringify(inputResponses) }] };
  });
  mcp.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    const state = mcpReq.requestState();
    const atOnce = AT_ONCE[params.name];
    if (atOnce !== undefined) {
      if (inputResponses !== undefined) return said({ inputResponses, state: state === STATE });
      const inputRequests = Object.fromEntries(atOnce.map((name) => [name, QUESTIONS[name]]));
      return inputRequired({ inputRequests, requestState: STATE }) as never;
    }
    switch (params.name) {
      case "row": {
        const before = state === undefined ? [] : JSON.parse(String(state)) as unknown[];
        const answers = inputResponses === undefined ? before : [...before, inputResponses];
        const next = IN_A_ROW[answers.length];
        if (next === undefined) return said(answers);
        return inputRequired({
          inputRequests: { [next]: QUESTIONS[next] },
          requestState: JSON.stringify(answers),
        }) as never;
      }
      case "refuses":
        throw Object.assign(new Error("Not today"), { code: -32099, data: { until: "tomorrow" } });
      default:
        return said(mcpReq.envelope ?? null);
    }
  });
  return mcp;
}

function said(value: unknown): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

if (process.argv[2] !== "http") {
  serveStdio(server, { legacy: "reject" });
} else {
  const handler = createMcpHandler(server, { legacy: "reject" });
  Deno.serve({
    hostname: "127.0.0.1",
    port: portArgument(),
    onListen: ({ port }) => announce(port),
  }, (request) => handler.fetch(request));
}
