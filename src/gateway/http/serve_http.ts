import { HotplugError } from "../../model/errors.ts";
import { type HttpListener, listenHttp } from "../../platform/http_listener.ts";
import { errnoOf, errnoText } from "../../platform/errno.ts";
import { Gateway, type GatewayOptions } from "../gateway.ts";
import { Endpoint } from "./endpoint.ts";
import { ENDPOINT_PATH, Front } from "./front.ts";
import { HostRules } from "./host_rules.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { Principals, type Token } from "./principals.ts";

/** What {@linkcode serveHttp} takes. */
export interface ServeHttpOptions extends GatewayOptions {
  /** Address to listen at; `localhost` is both of this machine's own. */
  readonly host: string;
  /** Port; 0 for any that is free. */
  readonly port: number;
  /** Who may use it. */
  readonly tokens: readonly Token[];
  /** More names that it is reached by, without a port. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may use it. */
  readonly allowedOrigins: readonly string[];
  /** What is borne. Default {@linkcode HTTP_LIMITS}. */
  readonly limits?: HttpLimits | undefined;
  /** Whose HTTP server it is. Default: as the address asks. */
  readonly server?: "runtime" | "node" | undefined;
  /** Called once it listens, with its URL. */
  readonly onReady: (url: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Milliseconds that running requests have to end, asked once the signal has fired. */
  readonly drainMs: () => number;
}

/**
 * Serves hosts over HTTP until the signal aborts. Then no more requests are taken, those that run
 * have some time to end, and every server is ended.
 * @throws {HotplugError} `usage` when the address cannot be listened at.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const { host, log, clock, signal, tokens, limits = HTTP_LIMITS, onReady, drainMs } = options;
  const gateway = new Gateway({ ...options, shares: true });
  const endpoint = new Endpoint({ gateway, limits, log });
  const front = new Front({
    rules: new HostRules({ address: host, ...options }),
    principals: new Principals(tokens),
    endpoint,
    health: () => ({ isDraining: signal.aborted, servers: gateway.servers }),
  });
  const listeners = await listeningAt(options, limits, front);
  const ended = new AbortController();
  try {
    const url = urlOf(host, listeners[0]?.port ?? 0);
    options.loops.listensAt(url);
    gateway.start();
    onReady(url);
    void tellAlive(endpoint, options, limits, ended.signal);
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    await Promise.race([endpoint.drain(), clock.delay(drainMs(), ended.signal)]);
  } finally {
    ended.abort();
    endpoint.close();
    await Promise.all([gateway.close(), ...listeners.map((listener) => listener.close())]);
  }
}

async function tellAlive(
  endpoint: Endpoint,
  { clock }: ServeHttpOptions,
  { aliveMs }: HttpLimits,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await clock.idle(aliveMs, ended);
    endpoint.alive();
  }
}

/** Listens at every address that a host means. */
async function listeningAt(
  { host, port, server }: ServeHttpOptions,
  limits: HttpLimits,
  front: Front,
): Promise<readonly HttpListener[]> {
  const at = (address: string, number: number): Promise<HttpListener> =>
    listenHttp({
      address,
      port: number,
      handler: (request) => front.answer(request),
      limits,
      server,
    });
  try {
    if (host !== "localhost") return [await at(host, port)];
    const first = await at("127.0.0.1", port);
    try {
      return [first, await at("::1", first.port)];
    } catch (thrown) {
      // A machine without IPv6 has this name for the other address alone.
      if (["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(errnoOf(thrown) ?? "")) return [first];
      await first.close();
      throw thrown;
    }
  } catch (cause) {
    throw new HotplugError("usage", `Cannot listen at ${host}:${port}: ${errnoText(cause)}`, {
      cause,
      hint: "Choose another --port, or 0 for any that is free",
    });
  }
}

/** Where an endpoint is found. Pure. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${ENDPOINT_PATH}`;
}
