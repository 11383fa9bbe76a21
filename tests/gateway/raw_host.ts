import { program } from "../harness/run_cli.ts";
import type { TempHome } from "../harness/temp_home.ts";
import { until } from "../harness/until.ts";

/** A message of the gateway. */
export type Message = Record<string, unknown>;

/** How a {@linkcode RawHost} starts the gateway. */
export interface RawHostOptions {
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
  /** What is started in the place of the gateway, with its arguments: a server, to compare with. */
  readonly direct?: { readonly command: string; readonly args: readonly string[] };
  /** Variables beside the home's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a gateway calls a host by, and what it declares. */
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw-host", version: "1.0.0" },
};

/** A host that starts the real program and writes whatever a test wants, word by word. */
export class RawHost implements AsyncDisposable {
  /** Everything that the gateway said, in order. */
  readonly messages: Message[] = [];
  /** The same, as it was written. */
  readonly lines: string[] = [];
  /** How it ended. */
  readonly ended: Promise<number>;
  /** What it wrote on stderr so far. */
  stderr = "";
  /** What it wrote on stdout that is no JSON object. */
  readonly noise: string[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #id = 0;

  /** Starts it in the project folder of a home. */
  constructor(
    { env, project }: TempHome,
    { args = [], direct, env: more = {} }: RawHostOptions = {},
  ) {
    const [own, ...first] = program();
    const { command, args: words } = direct ?? { command: own, args: [...first, "serve", ...args] };
    this.#child = new Deno.Command(command, {
      args: [...words],
      cwd: project,
      clearEnv: true,
      env: { ...env, ...more },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    const reading = [this.#read(), this.#readStderr()];
    this.ended = this.#child.status.then(async ({ code }) => {
      await Promise.all(reading);
      return code;
    });
  }

  /** Process id of the gateway. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Writes a line as it is. */
  async line(text: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${text}\n`)).catch(() => {});
  }

  /** Sends a notification. */
  async notify(method: string, params: Message = {}): Promise<void> {
    await this.line(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Sends a request, and gives its id. */
  async start(method: string, params: Message = {}): Promise<number> {
    const id = ++this.#id;
    await this.line(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return id;
  }

  /** Sends a request, and gives its answer. */
  async ask(method: string, params: Message = {}): Promise<Message> {
    return await this.answer(await this.start(method, params));
  }

  /** The answer to a request. */
  async answer(id: unknown): Promise<Message> {
    return await this.first((message) => message["id"] === id && message["method"] === undefined);
  }

  /** The first message that fits, now or later. */
  async first(fits: (message: Message) => boolean): Promise<Message> {
    try {
      await until(() => this.messages.some(fits));
    } catch (cause) {
      const said = JSON.stringify(this.messages).slice(0, 4_000);
      throw new Error(`No such message: ${fits}\n${said}\n${this.stderr}`, { cause });
    }
    return this.messages.find(fits) ?? {};
  }

  /** The handshake of the legacy era; gives the result. */
  async initialize(params: Message = {}): Promise<Message> {
    const answer = await this.ask("initialize", { ...INITIALIZE, ...params });
    await this.notify("notifications/initialized");
    return answer["result"] as Message;
  }

  /** Names of the tools that are listed now. */
  async tools(): Promise<readonly string[]> {
    const { result } = await this.ask("tools/list");
    return ((result as Message)["tools"] as readonly Message[]).map(({ name }) => String(name));
  }

  /** Waits until the list holds a tool. */
  async listing(name: string): Promise<void> {
    await until(async () => (await this.tools()).includes(name));
  }

  /** Calls a tool; gives its result, or the error under `error`. */
  async call(name: string, args: Message = {}): Promise<Message> {
    const answer = await this.ask("tools/call", { name, arguments: args });
    return (answer["result"] ?? { error: answer["error"] }) as Message;
  }

  /** Closes the gateway's stdin. */
  async closeInput(): Promise<void> {
    await this.#writer.close().catch(() => {});
  }

  /** Sends a signal to the gateway. */
  kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended.
    }
  }

  /** Ends it as a host does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeInput();
    await this.ended;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      // A long line is put together once: most pieces of it hold no end.
      if (!text.includes("\n")) {
        rest += text;
        continue;
      }
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        try {
          this.messages.push(JSON.parse(line) as Message);
          this.lines.push(line);
        } catch {
          this.noise.push(line);
        }
      }
    }
    if (rest !== "") this.noise.push(rest);
  }

  async #readStderr(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.stderr += text;
    }
  }
}
