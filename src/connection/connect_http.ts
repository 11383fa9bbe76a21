import { abortedError } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError } from "../model/errors.ts";
import { handshakeOptions } from "./attempt.ts";
import { LARGEST_MESSAGE, tooLargeToSend } from "./bounded_body.ts";
import type { ConnectContext } from "./connect_options.ts";
import { startTimeout } from "./error_of.ts";
import { pinsModern, shakeHandsOverHttp } from "./handshake.ts";
import { hotplugErrorIn, httpFailure, networkError, statusError } from "./http_error.ts";
import { openHttp } from "./http_transport.ts";
import type { Link } from "./link.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { ServerConnection } from "./server_connection.ts";
import { SessionLostError } from "./session_loss.ts";
import { StartClock } from "./start_clock.ts";

type HttpKind = "streamable_http" | "sse";

/** Statuses that send a client without a declared type from Streamable HTTP to SSE. */
const TRY_SSE: ReadonlySet<number> = new Set([400, 404, 405]);

/** Reaches a remote server and shakes hands with it. */
export async function connectHttp(context: ConnectContext): Promise<MCPServerConnection> {
  const { name, clock } = context;
  const sdk = await loadSdk();
  let link: Link;
  try {
    link = await firstLink(sdk, context);
    if (clock.signal.aborted) {
      await link.close();
      throw new Error("Too late");
    }
  } catch (thrown) {
    if (clock.outcome === "aborted") throw abortedError(context.signal);
    if (clock.outcome === "timeout") {
      throw startTimeout(
        { name, config: context.config, mask: context.mask },
        context.timeout,
        "",
        null,
      );
    }
    throw connectError(context, thrown);
  }
  const kind: HttpKind = link.transport === "sse" ? "sse" : "streamable_http";
  return new ServerConnection({
    context,
    link,
    pid: null,
    isEnding: () => false,
    renew: kind === "sse" ? null : (signal) => renewedLink(sdk, context, link.protocol, signal),
    end: () => Promise.resolve(),
    warnings: () => [],
  });
}

async function firstLink(sdk: Sdk, context: ConnectContext): Promise<Link> {
  const { config, clock, log } = context;
  if (config.type === "sse") return await shake(sdk, context, "sse", clock);
  try {
    return await shake(sdk, context, "streamable_http", clock);
  } catch (thrown) {
    const status = statusOf(thrown);
    const mayBeSse = config.type === undefined && status !== null && TRY_SSE.has(status) &&
      !pinsModern(config.protocol ?? "auto") && !clock.signal.aborted;
    if (!mayBeSse) throw thrown;
    log.log("info", "No Streamable HTTP there; trying SSE", { status });
    try {
      return await shake(sdk, context, "sse", clock);
    } catch (again) {
      // Only what a working SSE server can say outweighs the answer to the first attempt.
      throw isRefusal(again) ? again : thrown;
    }
  }
}

/** A new session in the place of a lost one, with a start time of its own. */
async function renewedLink(
  sdk: Sdk,
  context: ConnectContext,
  protocol: Link["protocol"],
  signal: AbortSignal,
): Promise<Link> {
  const clock = new StartClock(context.timeout, signal);
  try {
    return await shake(sdk, { ...context, knownProtocol: protocol }, "streamable_http", clock);
  } catch (thrown) {
    throw connectError(context, thrown);
  } finally {
    clock.stop();
  }
}

function shake(
  sdk: Sdk,
  context: ConnectContext,
  kind: HttpKind,
  clock: StartClock,
): Promise<Link> {
  const { name, config, authProvider, mask, timers } = context;
  const url = URL.parse(config.url ?? "");
  return shakeHandsOverHttp(
    sdk,
    kind,
    (events) => openHttp(sdk, { name, config, kind, authProvider, mask, timers, ...events }),
    {
      ...handshakeOptions(context, clock),
      sendError: (thrown) => sendError(name, url, thrown),
      closeError: () => null,
    },
  );
}

/** What a request of ours ends with when it could not be sent or its answer broke off. */
function sendError(name: string, url: URL | null, thrown: unknown): Error {
  if (thrown instanceof SessionLostError) return thrown;
  const own = hotplugErrorIn(thrown);
  if (own !== null) return own;
  const failure = httpFailure(thrown);
  if (failure !== null && url !== null) return statusError(name, url, failure);
  // The SDK could not make one text of it.
  if (thrown instanceof RangeError) return tooLargeToSend(name, LARGEST_MESSAGE);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const says = thrown instanceof SyntaxError ? `it is no JSON: ${message}` : message;
  return new HotplugError("connection-closed", `Lost the answer of "${name}": ${says}`, {
    cause: thrown instanceof Error ? thrown.cause : undefined,
    hint: "Try again; if it stays so, the server or a proxy before it is broken",
    details: { delivered: "unknown" },
  });
}

/** Why a server could not be reached. */
function connectError(context: ConnectContext, thrown: unknown): HotplugError {
  const { name, config } = context;
  const own = hotplugErrorIn(thrown);
  if (own !== null && own.code !== "handshake-failed") return own;
  const url = URL.parse(config.url ?? "");
  const message = own?.message ?? (thrown instanceof Error ? thrown.message : String(thrown));
  const foreign = /Endpoint origin does not match connection origin: (\S+)/.exec(message);
  if (foreign !== null) {
    return new HotplugError(
      "handshake-failed",
      `Cannot connect to "${name}": the server at ${url?.origin} names an endpoint at another origin, ${
        foreign[1]
      }, which is not used`,
      { hint: "The server or the proxy before it must name its endpoint by a path" },
    );
  }
  if (own !== null) return own;
  const failure = httpFailure(thrown);
  if (failure !== null && url !== null) return statusError(name, url, failure);
  if (url !== null) return networkError(name, url, thrown);
  return new HotplugError("server-unreachable", `Cannot reach "${name}": ${message}`);
}

function statusOf(thrown: unknown): number | null {
  const own = hotplugErrorIn(thrown);
  const status = own?.details["status"] ?? httpFailure(thrown)?.status;
  return typeof status === "number" ? status : null;
}

function isRefusal(thrown: unknown): boolean {
  const code = hotplugErrorIn(thrown)?.code;
  return code === "needs-auth" || code === "unauthorized";
}
