/** What came back to a request. */
export interface HttpAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The whole body as text. */
  readonly body: string;
}

/** What is asked for. */
export interface HttpAsk {
  /** Method; `POST` by default. */
  readonly method?: string;
  /** Path. */
  readonly path: string;
  /** Headers beside host and length. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body; empty by default. */
  readonly body?: string;
}

const FIRST_BYTES = 64 * 1024;
const encoder = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/**
 * One kept-alive connection of HTTP/1.1 to this machine, one request at a time. It does as little
 * as it can, so that what is measured through it is the other side.
 */
export class HttpConnection {
  readonly #conn: Deno.TcpConn;
  readonly #host: string;
  #buffer = new Uint8Array(FIRST_BYTES);
  #from = 0;
  #to = 0;

  private constructor(conn: Deno.TcpConn, host: string) {
    this.#conn = conn;
    this.#host = host;
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<HttpConnection> {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    conn.setNoDelay(true);
    return new HttpConnection(conn, `127.0.0.1:${port}`);
  }

  /**
   * Sends a request and reads its answer to the end.
   * @throws When the other side closes before that.
   */
  async send({ method = "POST", path, headers, body = "" }: HttpAsk): Promise<HttpAnswer> {
    const bytes = encoder.encode(body);
    const lines = Object.entries({
      host: this.#host,
      ...headers,
      "content-length": String(bytes.length),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = encoder.encode(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    const whole = new Uint8Array(head.length + bytes.length);
    whole.set(head);
    whole.set(bytes, head.length);
    for (let sent = 0; sent < whole.length;) {
      sent += await this.#conn.write(whole.subarray(sent));
    }
    return await this.#answer();
  }

  /** Closes it. */
  close(): void {
    try {
      this.#conn.close();
    } catch {
      // The other side was first.
    }
  }

  async #answer(): Promise<HttpAnswer> {
    const status = Number((await this.#line()).split(" ")[1]);
    const headers = new Map<string, string>();
    for (let line = await this.#line(); line !== ""; line = await this.#line()) {
      const colon = line.indexOf(":");
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    if (status === 100) return await this.#answer();
    return { status, headers, body: await this.#body(status, headers) };
  }

  async #body(status: number, headers: ReadonlyMap<string, string>): Promise<string> {
    const text = new TextDecoder();
    if (headers.get("transfer-encoding") === "chunked") {
      let body = "";
      for (;;) {
        const size = Number.parseInt(await this.#line(), 16);
        if (size === 0) break;
        body += text.decode(await this.#take(size), { stream: true });
        await this.#line();
      }
      // No trailers, or some: an empty line ends them.
      while (await this.#line() !== "");
      return body;
    }
    const length = headers.get("content-length");
    if (length !== undefined) return text.decode(await this.#take(Number(length)));
    if (status === 202 || status === 204) return "";
    throw new Error(`An answer ${status} tells no length`);
  }

  async #line(): Promise<string> {
    let looked = this.#from;
    for (;;) {
      const end = this.#buffer.indexOf(10, looked);
      if (end !== -1 && end < this.#to) {
        const line = latin1.decode(this.#buffer.subarray(this.#from, end - 1));
        this.#from = end + 1;
        return line;
      }
      looked = this.#to - this.#from;
      await this.#more();
      looked += this.#from;
    }
  }

  async #take(size: number): Promise<Uint8Array> {
    while (this.#to - this.#from < size) await this.#more();
    const bytes = this.#buffer.subarray(this.#from, this.#from + size);
    this.#from += size;
    return bytes;
  }

  async #more(): Promise<void> {
    if (this.#from === this.#to) this.#from = this.#to = 0;
    if (this.#to === this.#buffer.length) {
      const kept = this.#buffer.subarray(this.#from, this.#to);
      const isLarge = kept.length > this.#buffer.length / 2;
      const next = new Uint8Array(this.#buffer.length * (isLarge ? 2 : 1));
      next.set(kept);
      this.#buffer = next;
      this.#from = 0;
      this.#to = kept.length;
    }
    const count = await this.#conn.read(this.#buffer.subarray(this.#to));
    if (count === null) throw new Error("The other side closed the connection");
    this.#to += count;
  }
}
