import { listenHttp } from "../../../src/platform/http_listener.ts";

// Listens with the server of the first argument, and prints the port.
const listener = await listenHttp({
  address: "127.0.0.1",
  port: 0,
  handler: () => Promise.resolve({ status: 200, headers: {}, body: "fine" }),
  limits: {
    headerBytes: 16 * 1024,
    headers: 100,
    headersMs: 30_000,
    requestMs: 60_000,
    idleMs: 60_000,
    connections: 10_000,
    stallMs: 30_000,
  },
  server: Deno.args[0] === "node" ? "node" : "runtime",
});
await Deno.stdout.write(new TextEncoder().encode(`${listener.port}\n`));
