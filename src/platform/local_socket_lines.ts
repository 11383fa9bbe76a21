import type { Socket } from "node:net";

/** What a {@linkcode SocketLines} does with what comes, and how much it bears. */
export interface SocketLinesOptions {
  /** Most characters of a line that comes; a longer one ends the connection. */
  readonly longest: number;
  /** Most bytes that may wait for the other side to read them; more end the connection. */
  readonly mostQueued: number;
  /** Gets each line, its end left out. */
  readonly onLine: (line: string) => void;
  /** Called once, when the connection is over for whatever reason. */
  readonly onEnd: (error: Error | null) => void;
}

/** Milliseconds that the other side has to read what was written last. */
const FAREWELL_MS = 500;

/**
 * Lines of text over a socket, bounded both ways: whoever writes without end or never reads loses
 * the connection. Nothing here throws.
 */
export class SocketLines {
  readonly #socket: Socket;
  readonly #options: SocketLinesOptions;
  #rest = "";
  #error: Error | null = null;

  /** Takes over a socket, whose events nobody else listens for. */
  constructor(socket: Socket, options: SocketLinesOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => this.#take(String(chunk)));
    socket.on("error", (error) => this.#error = error);
    socket.once("close", () => options.onEnd(this.#error));
  }

  /** Writes one line. It must hold no line end. */
  write(line: string): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    this.#socket.write(`${line}\n`);
    if (this.#socket.writableLength > this.#options.mostQueued) this.cut();
  }

  /** Ends the connection once what was written has left, at most half a second from now. */
  end(): void {
    if (this.#socket.destroyed) return;
    const timer = setTimeout(() => this.cut(), FAREWELL_MS);
    this.#socket.once("close", () => clearTimeout(timer));
    this.#socket.end(() => this.cut());
  }

  /** Ends the connection at once. */
  cut(): void {
    this.#rest = "";
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    const pieces = chunk.split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      const line = this.#rest + piece;
      this.#rest = "";
      if (line.length > this.#options.longest) return this.cut();
      this.#options.onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (this.#socket.destroyed) return;
    }
    this.#rest += last;
    if (this.#rest.length > this.#options.longest) this.cut();
  }
}
