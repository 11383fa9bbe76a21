import type { Message, RawHost } from "./raw_host.ts";

/** What a host of the modern era declares in these tests. */
export const MODERN_ALL: Message = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** The params of a request of the modern era. */
export function modernParams(params: Message = {}, capabilities: Message = MODERN_ALL): Message {
  return {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw-modern", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
}

/** An answer that asks first. */
export interface Asking {
  /** What is asked, by key. */
  readonly inputRequests: Readonly<Record<string, Message>>;
  /** What comes back with the answers. */
  readonly requestState: string;
}

/** The result of an answer. */
export function resultOf(answer: Message): Message {
  return (answer["result"] ?? {}) as Message;
}

/** The result of an answer that asks first; the test fails when it does not. */
export function asking(answer: Message): Asking {
  const result = resultOf(answer);
  if (result["resultType"] !== "input_required") {
    throw new Error(`It does not ask: ${JSON.stringify(answer)}`);
  }
  return result as unknown as Asking;
}

/** Every question of an answer, answered in the same way. */
export function answered({ inputRequests }: Asking, result: Message): Message {
  return Object.fromEntries(Object.keys(inputRequests).map((key) => [key, result]));
}

/** What a tool said, as it was before it became text; the error's message when there is one. */
export function saidIn(answer: Message): unknown {
  const { content } = resultOf(answer) as { content?: readonly { text?: string }[] };
  const text = content?.[0]?.text ?? JSON.stringify(answer["error"]);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code of an answer's error; `null` when it has none. */
export function codeOf(answer: Message): number | null {
  const error = answer["error"] as { code?: number } | undefined;
  return error?.code ?? null;
}

/** A host of the modern era, word by word. */
export class ModernRaw {
  readonly #host: RawHost;
  readonly #capabilities: Message;

  /** Speaks through a host. */
  constructor(host: RawHost, capabilities: Message = MODERN_ALL) {
    this.#host = host;
    this.#capabilities = capabilities;
  }

  /** Sends a request, and gives its answer. */
  async ask(method: string, params: Message = {}): Promise<Message> {
    return await this.#host.ask(method, modernParams(params, this.#capabilities));
  }

  /** Sends a request, and gives its id. */
  async start(method: string, params: Message = {}): Promise<number> {
    return await this.#host.start(method, modernParams(params, this.#capabilities));
  }

  /** Calls a tool, and gives the answer. */
  async call(name: string, more: Message = {}): Promise<Message> {
    return await this.ask("tools/call", { name, arguments: {}, ...more });
  }

  /** Waits until a tool is listed. */
  async listing(name: string): Promise<void> {
    for (;;) {
      const { tools } = resultOf(await this.ask("tools/list")) as { tools: readonly Message[] };
      if (tools.some((tool) => tool["name"] === name)) return;
    }
  }
}
