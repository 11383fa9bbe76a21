import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * How a connection is cut: ended in order, reset, or left open while nothing gets through any more,
 * as when a router has forgotten it.
 */
export type Cut = "fin" | "rst" | "hole";

/** A proxy that can cut the streams of news and nothing else. */
export interface CuttingProxy {
  /** The server's endpoint, through the proxy. */
  readonly url: string;
  /** How many streams of news are open now and get through. */
  streams(): number;
  /** How many have been asked for so far. */
  asked(): number;
  /** Cuts every stream of news; gives their number. */
  cut(how: Cut): number;
  /** Lets the server know of the streams that ended in a hole, as its own system would in time. */
  reveal(): void;
  /** Ends it and every connection through it. */
  close(): Promise<void>;
}

/** One connection through the proxy. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Whether the last request on it asked for a stream of news, and its answer has begun. */
  carriesNews: boolean;
  isAnswered: boolean;
  isHole: boolean;
}

/** Puts a proxy before the server at a URL of this machine. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port, pathname } = new URL(target);
  const pairs = new Set<Pair>();
  let asked = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair = { client, server, carriesNews: false, isAnswered: false, isHole: false };
    pairs.add(pair);
    client.on("data", (data) => {
      if (pair.isHole) return;
      const text = data.toString("latin1");
      // Requests are small, and one on a connection at a time.
      if (/^(GET|POST|DELETE) /.test(text)) pair.carriesNews = pair.isAnswered = false;
      if (text.startsWith("GET ") || text.includes('"subscriptions/listen"')) {
        pair.carriesNews = true;
        asked++;
      }
      server.write(data);
    });
    server.on("data", (data) => {
      if (pair.isHole) return;
      pair.isAnswered ||= data.toString("latin1").includes(" 200 ");
      client.write(data);
    });
    for (const [one, other] of [[client, server], [server, client]] as const) {
      one.on("error", () => {});
      one.on("close", () => {
        if (pair.isHole && one === client) return;
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const isNews = (pair: Pair): boolean => pair.carriesNews && pair.isAnswered && !pair.isHole;
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    streams: () => [...pairs].filter(isNews).length,
    asked: () => asked,
    cut(how): number {
      const news = [...pairs].filter(isNews);
      for (const pair of news) {
        if (how === "hole") pair.isHole = true;
        else if (how === "rst") pair.client.resetAndDestroy();
        else pair.client.end();
        if (how !== "hole") pair.server.destroy();
      }
      return news.length;
    },
    reveal(): void {
      for (const { isHole, server } of pairs) if (isHole) server.destroy();
    },
    close: () => closed(proxy, pairs),
  };
}

function closed(proxy: Server, pairs: ReadonlySet<Pair>): Promise<void> {
  for (const { client, server } of pairs) {
    client.destroy();
    server.destroy();
  }
  return new Promise((resolve) => proxy.close(() => resolve()));
}
