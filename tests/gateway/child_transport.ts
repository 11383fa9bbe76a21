import { type ChildProcess, spawn } from "node:child_process";
import { program } from "../harness/run_cli.ts";
import type { TempHome } from "../harness/temp_home.ts";

/**
 * A transport for the clients of either SDK over a gateway that it starts. The SDKs' own leave a
 * timer behind when they are closed.
 */
export class ChildTransport<Message> {
  /** Set by the client. */
  onclose?: () => void;
  /** Set by the client. */
  onerror?: (error: Error) => void;
  /** Set by the client. */
  onmessage?: (message: Message) => void;
  /** Defined so that the SDK knows stdio. */
  readonly stderr: null = null;
  readonly #home: TempHome;
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();

  /** Starts nothing yet. */
  constructor(home: TempHome, args: readonly string[] = []) {
    this.#home = home;
    this.#args = args;
  }

  /** Process id of the gateway; `null` before the start. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the gateway. */
  start(): Promise<void> {
    const [command, ...first] = program();
    const { env, project } = this.#home;
    const child = spawn(command, [...first, "serve", ...this.#args], {
      cwd: project,
      env: { ...env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("close", () => resolve()));
    let rest = "";
    child.stdout?.on("data", (chunk: Uint8Array) => {
      const lines = (rest + new TextDecoder().decode(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.onmessage?.(JSON.parse(line) as Message);
    });
    return Promise.resolve();
  }

  /** Writes one message. */
  send(message: Message): Promise<void> {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Closes the gateway's stdin and waits for its end. */
  async close(): Promise<void> {
    this.#child?.stdin?.end();
    await this.#exited;
    this.onclose?.();
  }
}
