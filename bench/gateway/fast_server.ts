/**
 * A server over stdio that does as little as it can: what is measured through it is what lies
 * between. One tool `echo`, revisions up to 2025-11-25, nothing but `node:` built-ins.
 * @module
 */
import process from "node:process";

interface Request {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly arguments?: { readonly text?: string };
  };
}

const TOOL = {
  name: "echo",
  description: "Gives its text back",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  },
  annotations: { readOnlyHint: true },
};

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  // Answers of one read leave in one write.
  const answers = lines.filter((line) => line !== "").map((line) =>
    answered(JSON.parse(line) as Request)
  );
  const text = answers.join("");
  if (text !== "") process.stdout.write(text);
});
process.stdin.on("end", () => process.exit(0));

function answered({ id, method, params }: Request): string {
  if (id === undefined) return "";
  const outcome = outcomeOf(method, params);
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`;
}

function outcomeOf(method: string, params: Request["params"]): object {
  if (method === "tools/call") {
    return { result: { content: [{ type: "text", text: params?.arguments?.text ?? "" }] } };
  }
  if (method === "initialize") {
    return {
      result: {
        protocolVersion: params?.protocolVersion ?? "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "fast", version: "1.0.0" },
      },
    };
  }
  if (method === "tools/list") return { result: { tools: [TOOL] } };
  if (method === "ping") return { result: {} };
  return { error: { code: -32601, message: `Method not found: ${method}` } };
}
