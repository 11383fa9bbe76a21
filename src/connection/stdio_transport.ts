import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HotplugError } from "../model/errors.ts";
import type { LogLevel } from "../model/log.ts";
import type { ProcessExit, ProcessGroup } from "../platform/process_group.ts";
import { LARGEST_MESSAGE, tooLargeToSend } from "./bounded_body.ts";
import { JoinedWrites, WriteFailure } from "./joined_writes.ts";
import { LineBuffer, LineTooLongError } from "./line_buffer.ts";
import type { MessageExtra } from "./message_extra.ts";
import { messageLine, parsedMessages } from "./message_lines.ts";
import { Noise } from "./noise.ts";
import { plainAnswer } from "./plain_answer.ts";
import { ServerStderr } from "./server_stderr.ts";
import { settledWithin, systemTimers } from "./timers.ts";

/**
 * Milliseconds that output may still arrive in after the process has ended. A grandchild can hold
 * the pipes open for ever, and an early exit must be told within a second.
 */
const LAST_OUTPUT_MS = 250;

/** Milliseconds that a process may live on after it closed its stdout or stdin. */
const EXIT_AFTER_PIPE_MS = 500;

/**
 * Messages in one chunk from which on the other streams of this process are let in before the next
 * one: a runtime may go on reading a pipe that is never empty, and nothing else.
 */
const MANY_MESSAGES = 128;

/** What {@linkcode StdioTransport} takes. */
export interface StdioTransportOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** The running process. */
  readonly group: ProcessGroup;
  /** Largest message in bytes. Default {@linkcode LARGEST_MESSAGE}. */
  readonly maxMessageBytes?: number;
  /** Replaces known secrets in what is kept and given on of the server's output. Default: none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Gets every line of stderr, masked, and how grave it is. */
  readonly onStderr?: ((line: string, level: LogLevel) => void) | undefined;
}

/** How a server's output ended. */
export interface StdioEnd {
  /** How the process ended; `null` when it lives on without its stdout, or was cut off. */
  readonly exit: ProcessExit | null;
  /** Why it was cut off; `null` when the server ended by itself. */
  readonly error: HotplugError | null;
}

/**
 * Messages over the pipes of a child process, one line of JSON each. stderr is drained from the
 * first moment. `start()` may be called again for a second handshake on the same process, and
 * `close()` only stops reading: the process is ended by whoever started it.
 */
export class StdioTransport implements Transport {
  /** Set by the wire. */
  onclose?: () => void;
  /** Set by the wire. */
  onerror?: (error: Error) => void;
  /** Set by the wire. */
  onmessage?: NonNullable<Transport["onmessage"]>;
  /** Process id of the server. */
  readonly pid: number;
  /** Defined so that the SDK knows stdio; not given to it. */
  readonly stderr: null = null;
  /** Settles once, when no more messages will come. */
  readonly ended: Promise<StdioEnd>;
  /** Lines on stdout that were no messages. */
  readonly noise: Noise;
  readonly #options: StdioTransportOptions;
  readonly #stderr: ServerStderr;
  readonly #lines: LineBuffer;
  readonly #writes: JoinedWrites;
  #started = false;
  #closed = false;
  #inputIsLost = false;
  #exits = false;
  #end: (end: StdioEnd) => void = () => {};
  #stopRest = (): void => {};
  #endState: StdioEnd | null = null;

  /** Begins to drain stderr and to watch for the end of the process. */
  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.pid = options.group.pid;
    this.noise = new Noise(options.mask);
    this.#stderr = new ServerStderr(options.group.stderr, options);
    this.#lines = new LineBuffer({
      maxBytes: options.maxMessageBytes ?? LARGEST_MESSAGE,
      overflow: "fail",
    });
    this.#writes = new JoinedWrites(options.group.stdin);
    this.ended = new Promise((resolve) => this.#end = resolve);
    this.#watchExit();
  }

  /** How it ended; `null` while messages can come. */
  get endState(): StdioEnd | null {
    return this.#endState;
  }

  /** Whether it takes no more messages: it has ended, or will within a moment. */
  get isEnding(): boolean {
    return this.#endState !== null || this.#closed || this.#inputIsLost;
  }

  /** The last lines of stderr, masked. */
  stderrTail(): string {
    return this.#stderr.tail();
  }

  /** Begins to read messages; later calls do nothing. */
  start(): Promise<void> {
    if (this.#started || this.#closed) return Promise.resolve();
    this.#started = true;
    const { stdout } = this.#options.group;
    stdout.on("data", (chunk: Uint8Array) => this.#read(chunk));
    return Promise.resolve();
  }

  /**
   * Writes one message; resolves when the system has taken it.
   * @throws {HotplugError} `connection-closed`; `message-too-large` also when the server has not
   * read as much of the messages before it.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    const { name, group, maxMessageBytes = LARGEST_MESSAGE } = this.#options;
    const { stdin } = group;
    if (this.#endState !== null || this.#closed) throw inputClosed(name, undefined);
    if (stdin.writableLength + this.#writes.size > maxMessageBytes) {
      throw new HotplugError(
        "message-too-large",
        `Cannot send to "${name}": it does not read its stdin, and more than ${maxMessageBytes} bytes wait there`,
        { details: { delivered: "no" } },
      );
    }
    const line = messageLine(message);
    if (line === null || line.length > maxMessageBytes) throw tooLargeToSend(name, maxMessageBytes);
    try {
      await this.#writes.write(line);
    } catch (error) {
      this.#inputLost();
      throw notWritten(name, error);
    }
  }

  /** Stops reading. The process runs on. */
  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  #read(chunk: Uint8Array): void {
    if (this.#closed || this.#endState !== null) return;
    let lines: string[];
    try {
      lines = this.#lines.push(chunk);
    } catch (thrown) {
      if (!(thrown instanceof LineTooLongError)) throw thrown;
      const { name } = this.#options;
      this.#finish({
        exit: null,
        error: new HotplugError(
          "message-too-large",
          `Lost "${name}": it sent more than ${thrown.maxBytes} bytes without a line end`,
        ),
      });
      return;
    }
    if (lines.length >= MANY_MESSAGES) {
      const { stdout } = this.#options.group;
      stdout.pause();
      this.#stopRest = systemTimers.after(0, () => stdout.resume());
    }
    for (const line of lines) this.#message(line);
  }

  #message(line: string): void {
    const text = line.trim();
    if (text === "") return;
    const plain = plainAnswer(text);
    if (plain !== null) return this.#tell(plain.message, { resultText: plain.text });
    const parsed = parsedMessages(text);
    if (parsed === null) {
      this.noise.add(line);
      return;
    }
    for (const message of parsed) this.#tell(message);
  }

  #tell(message: JSONRPCMessage, extra?: MessageExtra): void {
    try {
      this.onmessage?.(message, extra);
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  async #watchExit(): Promise<void> {
    const { group } = this.#options;
    const stdoutDone = new Promise<void>((resolve) => {
      group.stdout.once("end", resolve);
      group.stdout.once("close", resolve);
    });
    const exit = await Promise.race([
      group.exited,
      // Ends only when it is read: before the start nothing is lost by waiting for the exit.
      stdoutDone.then(async () => {
        await settledWithin(group.exited, EXIT_AFTER_PIPE_MS);
        return group.isAlive() ? null : await group.exited;
      }),
    ]);
    const outputDone = this.#started
      ? Promise.all([stdoutDone, this.#stderr.done])
      : this.#stderr.done;
    await settledWithin(exit === null ? Promise.resolve() : outputDone, LAST_OUTPUT_MS);
    const last = this.#closed || this.#endState !== null ? null : this.#lines.flush();
    if (last !== null) this.#message(last);
    this.#finish({ exit, error: null });
  }

  /**
   * A server that takes no more input is of no use. When it is ending, its exit says more, and so
   * does what it still writes.
   */
  async #inputLost(): Promise<void> {
    const { name, group } = this.#options;
    if (this.#closed || this.#inputIsLost) return;
    this.#inputIsLost = true;
    const exit = group.exited.then(() => this.#exits = true);
    await settledWithin(exit, EXIT_AFTER_PIPE_MS);
    if (this.#closed || this.#exits) return;
    this.#finish({
      exit: null,
      error: new HotplugError("connection-closed", `Lost "${name}": it closed its stdin`, {
        details: { delivered: "unknown" },
      }),
    });
  }

  #finish(end: StdioEnd): void {
    if (this.#endState !== null) return;
    this.#endState = end;
    this.#stopRest();
    this.#end(end);
    this.onclose?.();
  }
}

function inputClosed(name: string, cause: unknown, isSure = true): HotplugError {
  return new HotplugError(
    "connection-closed",
    `Cannot write to "${name}": its stdin is closed`,
    { cause, details: { delivered: isSure ? "no" : "unknown" } },
  );
}

function notWritten(name: string, thrown: unknown): HotplugError {
  return thrown instanceof WriteFailure
    ? inputClosed(name, thrown.cause, thrown.isSure)
    : inputClosed(name, thrown, false);
}
