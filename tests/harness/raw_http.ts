/** A connection on which a test writes HTTP byte for byte, and reads only when it wants to. */
export class RawHttp implements AsyncDisposable {
  readonly #connection: Deno.TcpConn;
  readonly #decoder = new TextDecoder();
  /** Everything that was received so far. */
  text = "";
  /** Whether the other side has ended the connection. */
  isClosed = false;
  #isReading = false;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects, and reads unless it is told not to. */
  static async connect(
    port: number,
    { reads = true }: { readonly reads?: boolean } = {},
  ): Promise<RawHttp> {
    const raw = new RawHttp(await Deno.connect({ hostname: "127.0.0.1", port }));
    if (reads) void raw.read();
    return raw;
  }

  /** Writes text. Gives up when the other side has ended. */
  async write(text: string): Promise<void> {
    let bytes = new TextEncoder().encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
    } catch {
      // Cut off, which `isClosed` tells.
    }
  }

  /** Reads to the end. Never rejects. */
  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const buffer = new Uint8Array(64 * 1024);
    try {
      for (;;) {
        const count = await this.#connection.read(buffer);
        if (count === null) break;
        this.text += this.#decoder.decode(buffer.subarray(0, count), { stream: true });
      }
    } catch {
      // Cut off.
    }
    this.isClosed = true;
  }

  /** Ends the connection. */
  close(): void {
    try {
      this.#connection.close();
    } catch {
      // It has ended.
    }
  }

  /** Ends the connection. */
  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}
