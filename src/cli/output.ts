import { wantsColour } from "./colour.ts";

/** One of the two streams that the program writes to. */
export interface Sink {
  /** Whether a human sees it directly. */
  readonly isTerminal: boolean;
  /** Whether style sequences may be written to it. */
  readonly colour: boolean;
  /** Columns of the terminal; `null` when it is none. */
  readonly columns: number | null;
  /** Lines of the terminal; `null` when it is none. */
  readonly rows: number | null;
  /** Whether anything has been written to it. */
  readonly isUsed: boolean;
  /** Whether the reader went away. */
  readonly isClosed: boolean;
  /** Writes text. Never throws; after the reader went away it does nothing. */
  write(text: string): void;
}

/** Where a command writes: the answer to `stdout`, everything else to `stderr`. */
export interface Output {
  /** For the answer. */
  readonly stdout: Sink;
  /** For progress, warnings and errors. */
  readonly stderr: Sink;
  /** Waits until all that was written has left the process, at most one second per stream. */
  flush(): Promise<void>;
}

/** What of a Node stream is used here. */
export interface OutputStream {
  /** Set on terminals only. */
  readonly isTTY?: boolean;
  /** Columns of a terminal. */
  readonly columns?: number;
  /** Lines of a terminal. */
  readonly rows?: number;
  /** Writes a text and calls back when it has left, or with the error. */
  write(text: string, done: (error?: Error | null) => void): unknown;
  /** Listens for errors, which would else end the process. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** How long the end of the program waits for a reader that reads no more, in milliseconds. */
const FLUSH_MS = 1_000;

/** The output over two streams. A closed pipe (EPIPE) silences its stream and is no failure. */
export function streamOutput(
  stdout: OutputStream,
  stderr: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): Output {
  const out = streamSink(stdout, env);
  const err = streamSink(stderr, env);
  return {
    stdout: out.sink,
    stderr: err.sink,
    async flush(): Promise<void> {
      await Promise.all([out.flushed(), err.flushed()]);
    },
  };
}

/** A sink over one stream, and a promise of its emptiness. */
function streamSink(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): { readonly sink: Sink; readonly flushed: () => Promise<void> } {
  const isTerminal = stream.isTTY === true;
  let closed = false;
  let isUsed = false;
  let pending = 0;
  let whenEmpty: (() => void) | null = null;
  const close = (): void => {
    closed = true;
    whenEmpty?.();
  };
  stream.on("error", close);
  const sink: Sink = {
    isTerminal,
    colour: wantsColour(isTerminal, env),
    get columns(): number | null {
      return isTerminal ? stream.columns ?? 80 : null;
    },
    get rows(): number | null {
      return isTerminal ? stream.rows ?? 24 : null;
    },
    get isUsed(): boolean {
      return isUsed;
    },
    get isClosed(): boolean {
      return closed;
    },
    write(text: string): void {
      if (closed || text === "") return;
      isUsed = true;
      pending += 1;
      try {
        stream.write(text, (error) => {
          pending -= 1;
          if (error) close();
          else if (pending === 0) whenEmpty?.();
        });
      } catch {
        close();
      }
    },
  };
  const flushed = async (): Promise<void> => {
    if (closed || pending === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      whenEmpty = resolve;
      timer = setTimeout(resolve, FLUSH_MS);
    });
    clearTimeout(timer);
  };
  return { sink, flushed };
}
