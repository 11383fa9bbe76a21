import type { Client, Transport } from "@modelcontextprotocol/client";
import type { ServerNotification } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ProtocolEra } from "../model/server_view.ts";
import { type FrameError, readFrame } from "./frames.ts";
import { hotplugErrorIn, httpFailure } from "./http_error.ts";
import {
  LEGACY_VERSIONS,
  serverCapabilities,
  serverIdentity,
  supportedLegacyVersions,
} from "./initialize_exchange.ts";
import type { HttpEvents, HttpLine } from "./http_transport.ts";
import type { Link } from "./link.ts";
import type { Sdk } from "./sdk.ts";
import { SessionLostError } from "./session_loss.ts";
import { StdioWire, Wire, type WireOptions } from "./wire.ts";

/** What every handshake takes. */
export interface HandshakeOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Who we say we are. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What we say we can do. */
  readonly capabilities: JsonObject;
  /** `auto`, `legacy` or one revision. */
  readonly protocol: string;
  /** What was agreed on the last time. */
  readonly known: { readonly era: ProtocolEra; readonly version: string } | null;
  /** Milliseconds left for the start. */
  readonly timeout: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Milliseconds for a request that names no time-out. */
  readonly callTimeout: number;
  /** Where oddities are written. */
  readonly log: Logger;
  /** Gets the server's notifications, from the first moment on. */
  readonly onNotification?: ((notification: ServerNotification) => void) | undefined;
  /** Turns what the transport threw into the error that a request of ours ends with. */
  readonly sendError: (thrown: unknown) => Error;
  /** Why the transport closed by itself; `null` when that is not known. */
  readonly closeError: () => Error | null;
}

/** How one attempt speaks. */
interface Attempt {
  /** `auto` asks for the modern era first; `modern` accepts nothing else. */
  readonly mode: "legacy" | "auto" | "modern" | { readonly pin: string };
  /** Legacy revision to offer in place of the newest. */
  readonly offer?: string;
}

/** First revision of the modern era. */
const MODERN_VERSION = "2026-07-28";

/** Milliseconds that a stdio server known as modern may be silent before it is asked as legacy. */
const LONGEST_PROBE = 10_000;

/** A handshake that failed, with what the server said to `initialize`. */
class AttemptFailure extends Error {
  readonly wire: Wire;

  constructor(wire: Wire, cause: unknown) {
    super("Handshake failed", { cause });
    this.wire = wire;
  }
}

/**
 * Shakes hands over the pipes of a process: `initialize` first. An error answer to it shows a
 * server that is alive but speaks otherwise, which is asked once by `server/discover` on the same
 * process; silence and exit are not, as the process would be spent.
 * @throws {HotplugError} `handshake-failed`, or what ended the transport.
 */
export async function shakeHandsOverStdio(
  sdk: Sdk,
  transport: Transport,
  pid: number,
  options: HandshakeOptions,
): Promise<Link> {
  const once = (attempt: Attempt): Promise<Link> =>
    tryOnce(
      sdk,
      "stdio",
      (wire) => new StdioWire({ ...wire, inner: transport }, pid),
      attempt,
      options,
    );
  const pinned = pinnedAttempt(options.protocol);
  const first = pinned ?? { mode: options.known?.era === "modern" ? "auto" : "legacy" };
  try {
    return await once(first);
  } catch (thrown) {
    const failure = await retryLegacy(thrown, once, options);
    if (!(failure instanceof AttemptFailure)) return failure;
    const refused = failure.wire.initialize.error !== null && !options.signal.aborted;
    if (pinned !== null || first.mode !== "legacy" || !refused) {
      throw handshakeError(options.name, failure);
    }
    try {
      return await once({ mode: "modern" });
    } catch {
      // The answer to `initialize` is the better reason.
      throw handshakeError(options.name, failure);
    }
  }
}

/**
 * Shakes hands over HTTP, where asking for the modern era first is safe. Each attempt gets a
 * transport of its own.
 * @throws {HotplugError} `handshake-failed`, `server-unreachable`, `needs-auth`, `unauthorized`.
 */
export async function shakeHandsOverHttp(
  sdk: Sdk,
  kind: "streamable_http" | "sse",
  open: (events: HttpEvents) => HttpLine,
  options: HandshakeOptions,
): Promise<Link> {
  const once = async (attempt: Attempt): Promise<Link> => {
    let wire: Wire | null = null;
    const line = open({
      onStreamLost: (error, accepted) => {
        const answerless = wire?.fail(accepted, error) ?? 0;
        if (kind === "sse" || answerless > 0) wire?.end(error);
      },
      onAnswerLost: (error, id) => wire?.fail([id], error),
    });
    try {
      const makeWire = (given: Omit<WireOptions, "inner">): Wire =>
        wire = new Wire({ ...given, inner: line.transport });
      const link = await tryOnce(sdk, kind, makeWire, attempt, options);
      const close = async (): Promise<void> => {
        await link.close();
        await line.close();
      };
      return { ...link, close };
    } catch (thrown) {
      await line.close();
      const own = hotplugErrorIn(thrown) === null ? line.lastError() : null;
      if (own !== null && thrown instanceof AttemptFailure) {
        throw new AttemptFailure(thrown.wire, own);
      }
      throw thrown;
    }
  };
  const pinned = pinnedAttempt(options.protocol);
  const knownLegacy = options.known?.era === "legacy";
  const first: Attempt = pinned ?? { mode: kind === "sse" || knownLegacy ? "legacy" : "auto" };
  try {
    return await once(first);
  } catch (thrown) {
    const failure = await retryLegacy(thrown, once, options);
    if (!(failure instanceof AttemptFailure)) return failure;
    // A verdict can be out of date; anything but a refusal of access is worth the other era.
    const stale = pinned === null && kind === "streamable_http" && knownLegacy &&
      hotplugErrorIn(failure) === null && !options.signal.aborted;
    if (!stale) throw handshakeError(options.name, failure);
    try {
      return await once({ mode: "auto" });
    } catch (again) {
      throw handshakeError(options.name, again);
    }
  }
}

/** The one attempt that a configured `protocol` allows; `null` for `auto`. */
function pinnedAttempt(protocol: string): Attempt | null {
  if (protocol === "auto") return null;
  if (protocol === "legacy") return { mode: "legacy" };
  if (protocol === "modern") return { mode: "modern" };
  return protocol >= MODERN_VERSION
    ? { mode: { pin: protocol } }
    : { mode: "legacy", offer: protocol };
}

/** One more attempt when the server refused our version and named others. */
async function retryLegacy(
  thrown: unknown,
  once: (attempt: Attempt) => Promise<Link>,
  options: HandshakeOptions,
): Promise<Link | AttemptFailure> {
  if (!(thrown instanceof AttemptFailure)) throw thrown;
  const { initialize } = thrown.wire;
  const error = initialize.error ?? errorInBody(thrown);
  if (error === null || options.signal.aborted || pinnedAttempt(options.protocol) !== null) {
    return thrown;
  }
  const [offer] = supportedLegacyVersions(error, initialize.offered);
  if (offer === undefined) return thrown;
  options.log.log("info", "The server named other protocol versions", { offer });
  try {
    return await once({ mode: "legacy", offer });
  } catch (again) {
    return again instanceof AttemptFailure ? again : thrown;
  }
}

async function tryOnce(
  sdk: Sdk,
  kind: TransportType,
  makeWire: (options: Omit<WireOptions, "inner">) => Wire,
  attempt: Attempt,
  options: HandshakeOptions,
): Promise<Link> {
  const { name, callTimeout, log, onNotification, sendError, closeError, signal } = options;
  const wire = makeWire({
    name,
    kind,
    callTimeout,
    offer: attempt.offer ?? null,
    log,
    onNotification,
    sendError,
    closeError,
  });
  const client = makeClient(sdk, attempt, kind, options);
  client.onerror = (error) => log.log("debug", "From the SDK", { error: error.message });
  try {
    // The SDK's own time-out only stands behind ours, which ends the attempt by the signal.
    await untilAborted(client.connect(wire, { timeout: options.timeout + 5_000, signal }), signal);
  } catch (thrown) {
    const reason = wire.lossReason ?? thrown;
    await closeClient(client, wire);
    throw new AttemptFailure(wire, signal.aborted ? thrown : reason);
  }
  return linkOf(client, wire, kind, options);
}

function makeClient(
  sdk: Sdk,
  { mode }: Attempt,
  kind: TransportType,
  options: HandshakeOptions,
): Client {
  const probe = kind === "stdio"
    ? { timeoutMs: Math.min(LONGEST_PROBE, Math.max(1_000, options.timeout / 3)) }
    : {};
  return new sdk.Client(options.clientInfo, {
    capabilities: { ...options.capabilities },
    // Results do not go through the client; compiling schemas would only cost.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({
        valid: true,
        data: input as never,
        errorMessage: undefined,
      }),
    },
    ...(mode === "legacy" ? {} : {
      versionNegotiation: { mode: mode === "modern" ? "auto" : mode, probe },
    }),
    supportedProtocolVersions: mode === "modern"
      ? [MODERN_VERSION]
      : mode === "legacy"
      ? [...LEGACY_VERSIONS]
      : [MODERN_VERSION, ...LEGACY_VERSIONS],
  });
}

function linkOf(client: Client, wire: Wire, kind: TransportType, options: HandshakeOptions): Link {
  const negotiated = client.getNegotiatedProtocolVersion() ?? "";
  const version = wire.initialize.versionSpoken(negotiated);
  const era = client.getProtocolEra() === "modern" ? "modern" : "legacy";
  const result = wire.initialize.result ?? {};
  const { clientInfo, capabilities } = options;
  if (era === "modern") wire.useEnvelope({ version: negotiated, clientInfo, capabilities });
  const instructions = result["instructions"];
  return {
    client,
    wire,
    transport: kind,
    protocol: { era, version },
    server: serverIdentity(result),
    capabilities: serverCapabilities(result),
    instructions: typeof instructions === "string" ? instructions : "",
    close: () => closeClient(client, wire),
  };
}

async function closeClient(client: Client, wire: Wire): Promise<void> {
  try {
    await client.close();
  } catch {
    // It lets go of the wire all the same.
  }
  await wire.close();
}

/** Why a handshake failed, in the best words there are. */
function handshakeError(name: string, thrown: unknown): Error {
  const own = hotplugErrorIn(thrown);
  if (own !== null) return own;
  const cause = thrown instanceof AttemptFailure ? thrown.cause : thrown;
  const said = thrown instanceof AttemptFailure
    ? thrown.wire.initialize.error ?? errorInBody(thrown)
    : null;
  if (said !== null) {
    return new HotplugError(
      "handshake-failed",
      `Cannot connect to "${name}": the server refused the handshake: ${said.message} (error ${said.code})`,
      { details: { code: said.code, data: said.data ?? null, ...statusOf(cause) } },
    );
  }
  if (cause instanceof SessionLostError || httpFailure(cause) !== null) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new HotplugError("handshake-failed", `Cannot connect to "${name}": ${message}`, {
    cause: cause instanceof Error ? cause.cause : undefined,
  });
}

/** The JSON-RPC error in the body of an HTTP answer that was no success. */
function errorInBody(thrown: unknown): FrameError | null {
  const failure = httpFailure(thrown);
  if (failure === null || failure.status === 404 || !failure.body.startsWith("{")) return null;
  try {
    const frame = readFrame(JSON.parse(failure.body));
    return frame?.kind === "error" ? frame.error : null;
  } catch {
    return null;
  }
}

/** The work, or the abort of the signal, whichever comes first. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function statusOf(thrown: unknown): { readonly status?: number } {
  const failure = httpFailure(thrown);
  return failure === null ? {} : { status: failure.status };
}
