import type { Client } from "@modelcontextprotocol/client";
import type { ServerNotification } from "../model/connection.ts";
import type { TransportType } from "../model/definition.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/log.ts";
import type { ProtocolEra } from "../model/server_view.ts";
import type { ConnectContext } from "./connect_options.ts";
import { LEGACY_VERSIONS, serverCapabilities, serverIdentity } from "./initialize_exchange.ts";
import type { Link } from "./link.ts";
import type { Sdk } from "./sdk.ts";
import type { AskHost } from "./server_requests.ts";
import type { StartClock } from "./start_clock.ts";
import type { Wire } from "./wire.ts";
import type { WireOptions } from "./wire_options.ts";
import { type TraceMessage, wireTracer } from "./wire_trace.ts";

/** What every handshake takes. */
export interface HandshakeOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Who we say we are. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** What we say we can do. */
  readonly capabilities: JsonObject;
  /** Ids of the sessions around the server, the own one last. */
  readonly chain: readonly string[];
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
  /** Answers what the server asks for, from the first moment on. */
  readonly ask?: AskHost | undefined;
  /** Makes the trace of one wire; absent when nothing is traced. */
  readonly trace?: ((kind: TransportType) => TraceMessage) | undefined;
  /** Turns what the transport threw into the error that a request of ours ends with. */
  readonly sendError: (thrown: unknown) => Error;
  /** Why the transport closed by itself; `null` when that is not known. */
  readonly closeError: () => Error | null;
}

/** The options of a handshake that are the same over every transport. */
export function handshakeOptions(
  context: ConnectContext,
  clock: StartClock,
): Omit<HandshakeOptions, "sendError" | "closeError"> {
  const { name: server, mask, trace } = context;
  return {
    name: context.name,
    clientInfo: context.clientInfo,
    capabilities: context.capabilities,
    chain: context.chain ?? [],
    protocol: context.config.protocol ?? "auto",
    known: context.knownProtocol ?? null,
    timeout: clock.left(),
    signal: clock.signal,
    callTimeout: context.callTimeout,
    log: context.log,
    onNotification: (notification) => context.host.notified(notification),
    ask: (...asked) => context.host.ask(...asked),
    trace: trace && ((transport) => wireTracer({ server, transport, mask }, trace)),
  };
}

/** How one attempt speaks. */
export interface Attempt {
  /** `auto` asks for the modern era first; `modern` accepts nothing else. */
  readonly mode: "legacy" | "auto" | "modern" | { readonly pin: string };
  /** Legacy revision to offer in place of the newest. */
  readonly offer?: string;
}

/** First revision of the modern era. */
export const MODERN_VERSION: string = "2026-07-28";

/** Milliseconds that a stdio server known as modern may be silent before it is asked as legacy. */
const LONGEST_PROBE = 10_000;

/** A handshake that failed, with what the server said to `initialize`. */
export class AttemptFailure extends Error {
  /** The wire it was made over. */
  readonly wire: Wire;

  /** `cause` is the better reason of the transport's and the SDK's. */
  constructor(wire: Wire, cause: unknown) {
    super("Handshake failed", { cause });
    this.wire = wire;
  }
}

/**
 * One handshake on one transport, which stays open when it fails.
 * @throws {AttemptFailure}
 */
export async function tryOnce(
  sdk: Sdk,
  kind: TransportType,
  makeWire: (options: Omit<WireOptions, "inner">) => Wire,
  attempt: Attempt,
  options: HandshakeOptions,
): Promise<Link> {
  const { name, callTimeout, log, onNotification, ask, sendError, closeError, signal } = options;
  const wire = makeWire({
    name,
    kind,
    callTimeout,
    offer: attempt.offer ?? null,
    chain: options.chain,
    log,
    onNotification,
    ask,
    trace: options.trace?.(kind),
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
  const { clientInfo, capabilities, chain } = options;
  if (era === "modern") wire.useEnvelope({ version: negotiated, clientInfo, capabilities, chain });
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

/** The work, or the abort of the signal, whichever comes first. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
