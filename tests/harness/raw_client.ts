import type { ServerCommand } from "./servers.ts";

type Data = Record<string, unknown>;

/**
 * A legacy client of 40 lines that shares no code with this package: one process, one request at a
 * time, no time limit of its own.
 */
export class RawClient {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stderr: ReadableStreamDefaultReader<string>;
  #stderrText = "";
  #rest = "";
  #id = 0;

  /** Starts the server. `env` is the whole environment but for what the command adds. */
  constructor(server: ServerCommand, env: Readonly<Record<string, string>>, cwd?: string) {
    this.#child = new Deno.Command(server.command, {
      args: [...server.args],
      clearEnv: true,
      env: { ...env, ...server.env },
      ...(cwd === undefined ? {} : { cwd }),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#writer = this.#child.stdin.getWriter();
    this.#stderr = this.#child.stderr.pipeThrough(new TextDecoderStream()).getReader();
    this.#drainStderr();
  }

  /** Sends one message. */
  async send(message: Data): Promise<void> {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
    await this.#writer.write(new TextEncoder().encode(text));
  }

  /** The next line of stdout; `null` at its end. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end !== -1) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#lines.read();
      if (done) return null;
      this.#rest += value;
    }
  }

  /** Sends a request; gives its answer, everything else on stdout skipped. */
  async ask(method: string, params: Data = {}): Promise<Data> {
    const id = ++this.#id;
    await this.send({ id, method, params });
    for (let line = await this.line(); line !== null; line = await this.line()) {
      const message = parsed(line);
      if (message?.["id"] === id && message["method"] === undefined) return message;
    }
    throw new Error(`stdout ended before the answer to ${method}\n${this.#stderrText}`);
  }

  /** The handshake of the legacy era. */
  async initialize(protocolVersion = "2025-11-25"): Promise<Data> {
    const clientInfo = { name: "raw", version: "1.0.0" };
    const answer = await this.ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    await this.send({ method: "notifications/initialized" });
    return answer;
  }

  /** Every tool of every page. */
  async tools(): Promise<readonly Data[]> {
    const tools: Data[] = [];
    let cursor: unknown;
    do {
      const answer = await this.ask("tools/list", cursor === undefined ? {} : { cursor });
      if (answer["error"] !== undefined) throw new Error(JSON.stringify(answer["error"]));
      const page = answer["result"] as { readonly tools: Data[]; readonly nextCursor?: string };
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }

  /** Ends stdin, waits a moment, kills the process alone; gives exit status and stderr. */
  async close(graceMs = 1_000): Promise<{ readonly code: number; readonly stderr: string }> {
    await this.#writer.close().catch(() => {});
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
    const { code } = await this.#child.status;
    clearTimeout(kill);
    // Children of the server may hold its pipes for ever: what is not read by now stays unread.
    await new Promise((wake) => setTimeout(wake, 20));
    await Promise.all(
      [this.#lines.cancel(), this.#stderr.cancel()].map((end) => end.catch(() => {})),
    );
    return { code, stderr: this.#stderrText };
  }

  async #drainStderr(): Promise<void> {
    for (let read = await this.#stderr.read(); !read.done; read = await this.#stderr.read()) {
      this.#stderrText += read.value;
    }
  }
}

function parsed(line: string): Data | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value as Data : null;
  } catch {
    return null;
  }
}
