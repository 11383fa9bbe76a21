import { Buffer } from "node:buffer";
import process from "node:process";

/** A JSON object as it comes from or goes to the client. */
export type Data = Record<string, unknown>;

/** What `trap.ts` does under one name; it gets the arguments after the name. */
export type Behaviour = (...args: string[]) => void;

/** What a handler gives back when the request is to stay unanswered. */
export const SILENCE: unique symbol = Symbol("silence");

/** What answers one method; a promise of the same is awaited. */
export type Handler = (params: Data, message: Data) => unknown;

/** The error answer that a handler throws. */
export class ErrorAnswer extends Error {
  /** The `error` of the answer. */
  readonly answer: Data;

  /** An answer with this code, message and data. */
  constructor(code: number, message: string, data?: Data) {
    super(message);
    this.answer = { code, message, ...(data === undefined ? {} : { data }) };
  }
}

/** A tool of a raw server: its listed form, and what a call of it gives. */
export interface RawTool {
  /** What `tools/list` shows, sensible or not. */
  readonly listed: unknown;
  /** Answers a call. */
  readonly run: (args: Data, params: Data, message: Data) => unknown;
}

/** A tool without arguments; `listed` overrides its listed form. */
export function tool(name: string, run: RawTool["run"], listed: Data = {}): RawTool {
  const inputSchema = { type: "object", properties: {} };
  return { listed: { name, description: `Tool ${name}`, inputSchema, ...listed }, run };
}

/** A result with one text. */
export function textResult(text: string): Data {
  return { content: [{ type: "text", text }] };
}

/** The tools of a server that means well. */
export function goodTools(): readonly [RawTool, RawTool] {
  const echo = tool("echo", (args) => textResult(String(args["text"])), {
    description: "Gives its text back",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "What to give back" } },
      required: ["text"],
    },
    annotations: { readOnlyHint: true },
  });
  const add = tool("add", ({ a, b }) => textResult(String(Number(a) + Number(b))), {
    description: "Adds two numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  });
  return [echo, add];
}

/** A JSON-RPC server over stdin and stdout, every part of which can be replaced. */
export class RawServer {
  /** What `tools/list` shows and `tools/call` runs. */
  readonly tools: RawTool[] = [...goodTools()];
  /** What answers each method: a result, {@linkcode SILENCE}, or a thrown {@linkcode ErrorAnswer}. */
  readonly handlers: Map<string, Handler> = new Map();
  /** Called at the end of stdin. */
  onEnd: () => void = () => process.exit(0);
  /** Called for an answer to a request of ours. */
  onAnswer: (message: Data) => void = () => {};

  /** A server of this name; it answers `initialize`, `ping`, `tools/list` and `tools/call`. */
  constructor(name: string, capabilities: Data = { tools: {} }) {
    this.handlers.set("initialize", (params) => ({
      protocolVersion: params["protocolVersion"] ?? "2025-11-25",
      capabilities,
      serverInfo: { name, version: "1.0.0" },
    }));
    this.handlers.set("ping", () => ({}));
    this.handlers.set("tools/list", () => ({ tools: this.tools.map((each) => each.listed) }));
    this.handlers.set("tools/call", (params, message) => {
      const called = this.tools.find(({ listed }) => (listed as Data)["name"] === params["name"]);
      if (called === undefined) throw new ErrorAnswer(-32602, `Unknown tool: ${params["name"]}`);
      return called.run((params["arguments"] ?? {}) as Data, params, message);
    });
  }

  /** Answers a method so that `change` sees the usual result first. */
  wrap(method: string, change: (usual: () => unknown, params: Data) => unknown): void {
    const usual = this.handlers.get(method) ?? (() => ({}));
    this.handlers.set(method, (params, message) => change(() => usual(params, message), params));
  }

  /** Writes bytes or text as they are. */
  write(data: string | Uint8Array): void {
    process.stdout.write(data);
  }

  /** Writes one message. */
  send(message: Data): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  /** Reads stdin and answers until it ends. */
  start(): void {
    let rest = Buffer.alloc(0);
    process.stdin.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = rest.subarray(0, end).toString("utf8");
        rest = rest.subarray(end + 1);
        if (line.trim() !== "") this.#receive(JSON.parse(line) as Data);
      }
    });
    process.stdin.on("end", () => this.onEnd());
    process.stdout.on("error", () => process.exit(0));
  }

  async #receive(message: Data): Promise<void> {
    const { id, method } = message;
    if (method === undefined) return this.onAnswer(message);
    const answer = await this.#answer(String(method), message);
    if (id !== undefined && answer !== null) this.send({ id, ...answer });
  }

  async #answer(method: string, message: Data): Promise<Data | null> {
    const handle = this.handlers.get(method);
    if (handle === undefined) {
      return { error: { code: -32601, message: `Method not found: ${method}` } };
    }
    try {
      const result = await handle((message["params"] ?? {}) as Data, message);
      return result === SILENCE ? null : { result };
    } catch (thrown) {
      if (thrown instanceof ErrorAnswer) return { error: thrown.answer };
      return { error: { code: -32603, message: String(thrown) } };
    }
  }
}

/** Writes to stderr so many bytes, made of one piece, at the pace of the reader. */
export async function flood(bytes: number, piece: string): Promise<void> {
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (let left = bytes; left > 0; left -= block.length) {
    await new Promise<void>((done) => process.stderr.write(block, () => done()));
  }
}
