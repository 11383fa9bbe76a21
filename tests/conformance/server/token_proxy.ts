import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy that adds a token to every request, for a client that has none to send. */
export interface TokenProxy {
  /** The server's endpoint, through the proxy. */
  readonly url: string;
  /** Ends it and every connection through it. */
  close(): Promise<void>;
}

/** The first line of a request. */
const REQUEST_LINE = /^(?:GET|POST|DELETE) [^\r\n]+\r\n/;

/**
 * Puts a proxy before the server at a URL of this machine. Beside the token nothing is changed:
 * `Host` and `Origin` stay as they were sent, streams flow as they come, and a connection that
 * either side ends is ended on the other.
 */
export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port, pathname } = new URL(target);
  const header = `Authorization: Bearer ${token}\r\n`;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on("data", (data) => {
      // Requests are small, and one on a connection at a time: each begins a piece of its own.
      const end = REQUEST_LINE.exec(data.toString("latin1"))?.[0].length ?? 0;
      const added = end === 0 ? "" : header;
      server.write(Buffer.concat([data.subarray(0, end), Buffer.from(added), data.subarray(end)]));
    });
    server.on("data", (data) => client.write(data));
    for (const [one, other] of [[client, server], [server, client]] as const) {
      sockets.add(one);
      // Else each message waits some forty milliseconds for the confirmation of the one before.
      one.setNoDelay(true);
      one.on("error", () => {});
      one.on("end", () => other.end());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
