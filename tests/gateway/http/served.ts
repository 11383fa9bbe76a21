import assert from "node:assert/strict";
import { join } from "node:path";
import { program } from "../../harness/run_cli.ts";
import type { TempHome } from "../../harness/temp_home.ts";
import { until } from "../../harness/until.ts";
import type { Message } from "../raw_host.ts";

/** How a {@linkcode Served} gateway is started. */
export interface ServedOptions {
  /** Arguments after `serve --http --json`. */
  readonly args?: readonly string[];
  /** Variables beside the home's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What an `initialize` of these tests says. */
export const INITIALIZE: Message = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw-client", version: "1.0.0" },
};

/** What every request of the modern era says about itself. */
export const ENVELOPE: Message = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw-client", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The real program as a gateway over HTTP, ended with the test. */
export class Served implements AsyncDisposable {
  /** How it ended. */
  readonly ended: Promise<number>;
  /** What it wrote on stderr so far. */
  stderr = "";
  /** What it wrote on stdout so far. */
  stdout = "";
  /** Where it is found. */
  url = "";
  /** The token that it generated; empty where it has a file of tokens. */
  token = "";
  readonly #child: Deno.ChildProcess;
  #id = 0;

  private constructor({ env, project }: TempHome, { args = [], env: more = {} }: ServedOptions) {
    const [command, ...first] = program();
    this.#child = new Deno.Command(command, {
      args: [...first, "serve", "--http", "--json", ...args],
      cwd: project,
      clearEnv: true,
      env: { ...env, ...more },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const reading = [
      this.#read(this.#child.stdout, (text) => this.stdout += text),
      this.#read(this.#child.stderr, (text) => this.stderr += text),
    ];
    this.ended = this.#child.status.then(async ({ code }) => {
      await Promise.all(reading);
      return code;
    });
  }

  /** Starts it, and waits until it listens. */
  static async start(home: TempHome, options: ServedOptions = {}): Promise<Served> {
    const served = new Served(home, options);
    let code: number | null = null;
    void served.ended.then((ended) => code = ended);
    await until(() => served.stdout.includes("\n") || code !== null, 20_000);
    assert.equal(code, null, served.stdout + served.stderr);
    const { url } = JSON.parse(served.stdout) as { readonly url: string };
    served.url = url;
    const own = await Deno.readTextFile(join(home.state, "gateway-token")).catch(() => "");
    served.token = own.trim();
    return served;
  }

  /** Process id of the gateway. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Port that it listens at. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Sends a request to a path, with the token unless the headers say otherwise. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return await fetch(new URL(path, this.url), { ...init, headers: this.#headers(init.headers) });
  }

  /** Posts a body, as it is or as JSON, to the endpoint. */
  async post(
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return await this.fetch("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** A request as a message, with an id of its own. */
  message(method: string, params: Message = {}): Message {
    return { jsonrpc: "2.0", id: ++this.#id, method, params };
  }

  /** Opens a session of the legacy era; gives the headers of its requests. */
  async initialize(
    params: Message = INITIALIZE,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, string>>> {
    const response = await this.post(this.message("initialize", params), headers);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const session = {
      ...headers,
      "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": String(params["protocolVersion"]),
    };
    const accepted = await this.post(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      session,
    );
    assert.equal(accepted.status, 202);
    await accepted.body?.cancel();
    return session;
  }

  /** A request of the modern era. */
  async modern(
    method: string,
    params: Message = {},
    { headers = {}, signal }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Response> {
    const { _meta: meta, ...rest } = params;
    const name = params["name"] ?? params["uri"];
    return await this.post(
      this.message(method, { ...rest, _meta: { ...ENVELOPE, ...(meta as Message) } }),
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
        ...headers,
      },
      signal,
    );
  }

  /** Sends a signal to the gateway. */
  kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended.
    }
  }

  /** Ends it as a user does. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGINT");
    await this.ended;
  }

  #headers(given: RequestInit["headers"]): Headers {
    const headers = new Headers(given);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${this.token}`);
    return headers;
  }

  async #read(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
  }
}

/** The events of a response, read as they come. */
export class Events implements AsyncDisposable {
  /** Messages so far. */
  readonly messages: Message[] = [];
  /** Ids of the events so far. */
  readonly ids: string[] = [];
  /** Everything so far. */
  text = "";
  /** Whether the stream has ended. */
  isOver = false;
  readonly #response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;

  /** Begins to read. */
  constructor(response: Response) {
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    this.#response = response;
    assert.ok(response.body !== null);
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    void this.#read();
  }

  /** The first message that fits, now or later. */
  async first(fits: (message: Message) => boolean): Promise<Message> {
    await until(() => this.messages.some(fits), 20_000);
    return this.messages.find(fits) ?? {};
  }

  /** The first message of a method. */
  async of(method: string): Promise<Message> {
    return await this.first((message) => message["method"] === method);
  }

  /** Header of the response. */
  header(name: string): string | null {
    return this.#response.headers.get(name);
  }

  /** Stops reading, and ends the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.text += value;
        const events = (rest + value).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) this.#take(event);
      }
    } catch {
      // Cut off.
    }
    this.isOver = true;
  }

  #take(event: string): void {
    for (const line of event.split("\n")) {
      if (line.startsWith("id: ")) this.ids.push(line.slice(4));
      if (line.startsWith("data: ") && line.length > 6) {
        this.messages.push(JSON.parse(line.slice(6)) as Message);
      }
    }
  }
}

/** The JSON of a response, which must have this status. */
export async function json(response: Response, status: number = 200): Promise<Message> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  return JSON.parse(text) as Message;
}

/** Code of the error in a response, which must have this status. */
export async function errorCode(response: Response, status: number): Promise<unknown> {
  const message = await json(response, status);
  return (message["error"] as Message | undefined)?.["code"];
}
