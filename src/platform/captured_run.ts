import { endGroup } from "./end_group.ts";
import { spawnGroup, type SpawnGroupOptions } from "./process_group.ts";

/** What {@linkcode captureRun} runs. */
export interface CapturedRunOptions extends Omit<SpawnGroupOptions, "lastSignal"> {
  /** What it reads. A program that does not read is no failure. */
  readonly input: string;
  /** Milliseconds after which it is ended. */
  readonly timeoutMs: number;
  /** Bytes of output after which it is ended. */
  readonly maxOutputBytes: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** How a run came to its end. */
export type RunEnd = "exited" | "unread" | "timeout" | "too-much" | "aborted";

/** What a program did. */
export interface CapturedRun {
  /**
   * `exited`: by itself, and what it wrote is there to the last byte; `unread`: by itself, but its
   * output is still open, so that more may come; else why it was ended.
   */
  readonly end: RunEnd;
  /** Exit status; `null` when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
  /** What it wrote to stdout. */
  readonly stdout: Uint8Array;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
}

/** Bytes of stderr that are kept. */
const STDERR_BYTES = 4 * 1024;

/** Milliseconds for output that is still on its way when the program has ended. */
const LAST_OUTPUT_MS = 200;

/** How what is left of a group is ended. */
const ENDING = { stdinGraceMs: 0, termGraceMs: LAST_OUTPUT_MS };

/**
 * Runs a program in a process group of its own and gives what it wrote. When this settles nothing
 * that it has started runs any more but for what left the group, which is found by its mark, on Linux
 * alone.
 *
 * @throws {HotplugError} What `spawnGroup()` throws.
 */
export async function captureRun(options: CapturedRunOptions): Promise<CapturedRun> {
  const { input, timeoutMs, maxOutputBytes, signal, ...program } = options;
  const group = await spawnGroup(program);
  let stop: (end: RunEnd) => void = () => {};
  const stopped = new Promise<RunEnd>((resolve) => stop = resolve);
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const abort = (): void => stop("aborted");
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  const stdout: Uint8Array[] = [];
  let size = 0;
  group.stdout.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= maxOutputBytes) stdout.push(chunk);
    else stop("too-much");
  });
  let stderr: Uint8Array = new Uint8Array();
  group.stderr.on("data", (chunk: Uint8Array) => {
    stderr = joined([stderr, chunk.subarray(-STDERR_BYTES)]).subarray(-STDERR_BYTES);
  });
  let isWhole = false;
  group.stdout.once("end", () => isWhole = true);
  const read = Promise.all(
    [group.stdout, group.stderr].map((stream) =>
      new Promise<void>((resolve) => stream.once("close", resolve))
    ),
  );
  try {
    group.stdin.end(input);
    const outcome = await Promise.race([
      group.exited.then((exit) => ({ end: "exited" as const, ...exit })),
      stopped.then((end) => ({ end, code: null, signal: null })),
    ]);
    if (outcome.end === "exited") {
      let late: ReturnType<typeof setTimeout> | undefined;
      const waited = new Promise<void>((resolve) => late = setTimeout(resolve, LAST_OUTPUT_MS));
      await Promise.race([read, waited, stopped]).finally(() => clearTimeout(late));
      // Something that it left in the background may hold its output open for ever.
      await endGroup(group, program.mark, { ...ENDING, reading: read });
    }
    const exited = isWhole ? "exited" : "unread";
    const end = outcome.end !== "exited"
      ? outcome.end
      : size > maxOutputBytes
      ? "too-much"
      : exited;
    return { ...outcome, end, stdout: joined(stdout), stderr: lossy(stderr) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    await endGroup(group, program.mark, ENDING);
  }
}

/** Text whose first character may have been cut. */
function lossy(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/^\ufffd+/, "");
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
