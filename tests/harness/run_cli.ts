import { fromRepository } from "./repository.ts";

/** What a run of the program takes. */
export interface CliOptions {
  /** Working folder. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Text for stdin; none by default. */
  readonly stdin?: string;
  /** Milliseconds after which the run is killed and the test fails. Default 60,000. */
  readonly timeoutMs?: number;
  /** Sends a signal to the program alone, so many milliseconds after its start. */
  readonly signalAfter?: { readonly signal: Deno.Signal; readonly ms: number };
  /** Called for each piece of stdout as it comes; may send a signal. */
  readonly onStdout?: (text: string, send: (signal: Deno.Signal) => void) => void;
}

/** How a run of the program ended. */
export interface CliRun {
  /** Exit status; a signal that ended it counts as 128 and its number. */
  readonly code: number;
  /** All of stdout. */
  readonly stdout: string;
  /** All of stderr. */
  readonly stderr: string;
  /** Milliseconds from start to end. */
  readonly elapsedMs: number;
  /** Stdout as the one JSON document that it must be. */
  json<Document = unknown>(): Document;
}

/** Command and first arguments of the program: `cli.ts`, or the file in `MCP_BIN`. */
export function program(): readonly [string, ...string[]] {
  const built = Deno.env.get("MCP_BIN");
  if (built !== undefined && built !== "") return [built];
  const flags = ["run", "--quiet", "--no-prompt", "--allow-all"];
  return [
    Deno.execPath(),
    ...flags,
    "--config",
    fromRepository("deno.json"),
    fromRepository("cli.ts"),
  ];
}

/** Runs `mcp` with these arguments as a child and waits for its end. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const [command, ...first] = program();
  const coverage = Deno.env.get("DENO_COVERAGE_DIR");
  const start = performance.now();
  const child = new Deno.Command(command, {
    args: [...first, ...args],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...options.env, ...(coverage === undefined ? {} : { DENO_COVERAGE_DIR: coverage }) },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const send = (signal: Deno.Signal): void => {
    try {
      child.kill(signal);
    } catch {
      // It ended before the signal.
    }
  };
  let timedOut = false;
  const limit = options.timeoutMs ?? 60_000;
  const timers = [setTimeout(() => {
    timedOut = true;
    send("SIGKILL");
  }, limit)];
  const { signalAfter, onStdout } = options;
  if (signalAfter !== undefined) {
    timers.push(setTimeout(() => send(signalAfter.signal), signalAfter.ms));
  }
  if (options.stdin !== undefined) await feed(child.stdin, options.stdin);
  try {
    const [status, stdout, stderr] = await Promise.all([
      child.status,
      collect(child.stdout, (text) => onStdout?.(text, send)),
      collect(child.stderr),
    ]);
    const elapsedMs = performance.now() - start;
    if (timedOut) {
      throw new Error(
        `mcp ${args.join(" ")} was still running after ${limit} ms\n${stdout}\n${stderr}`,
      );
    }
    return {
      code: status.code,
      stdout,
      stderr,
      elapsedMs,
      json: () => oneDocument(stdout, stderr),
    };
  } finally {
    timers.forEach(clearTimeout);
  }
}

async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program did not read to the end: its right.
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  onText: (text: string) => void = () => {},
): Promise<string> {
  const pieces: string[] = [];
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    pieces.push(text);
    onText(text);
  }
  return pieces.join("");
}

function oneDocument<Document>(stdout: string, stderr: string): Document {
  try {
    return JSON.parse(stdout) as Document;
  } catch (cause) {
    throw new Error(`Stdout is not one JSON document:\n${stdout}\nstderr:\n${stderr}`, { cause });
  }
}
