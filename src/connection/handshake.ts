import type { Transport } from "@modelcontextprotocol/client";
import { HotplugError } from "../model/errors.ts";
import { readLoop } from "../model/session_chain.ts";
import {
  type Attempt,
  AttemptFailure,
  type HandshakeOptions,
  MODERN_VERSION,
  tryOnce,
} from "./attempt.ts";
import { type FrameError, readFrame } from "./frames.ts";
import { hotplugErrorIn, httpFailure } from "./http_error.ts";
import type { HttpEvents, HttpLine } from "./http_transport.ts";
import { supportedLegacyVersions } from "./initialize_exchange.ts";
import type { Link } from "./link.ts";
import { loopError } from "./loop_error.ts";
import type { Sdk } from "./sdk.ts";
import { SessionLostError } from "./session_loss.ts";
import { StdioWire } from "./stdio_wire.ts";
import { Wire } from "./wire.ts";
import type { WireOptions } from "./wire_options.ts";

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
      throw handshakeError(options, failure);
    }
    try {
      return await once({ mode: "modern" });
    } catch {
      // The answer to `initialize` is the better reason.
      throw handshakeError(options, failure);
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
      onAccepted: (id) => wire?.accepted(id),
      onStreamLost: (error) => {
        const answerless = wire?.failAccepted(error) ?? 0;
        if (kind === "sse" || answerless > 0) wire?.end(error);
      },
      isAwaited: (isRest) => wire?.isAwaited(isRest) === true,
      onReopened: () => wire?.onReopened?.(),
      onAnswerLost: (error, id) => wire?.fail(id, error),
      onUnreachable: () => wire?.onUnreachable?.(),
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
      // What ended the transport says more than that the wire was closed after it.
      const said = hotplugErrorIn(thrown);
      const own = said === null || said.code === "connection-closed" ? line.lastError() : null;
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
    if (!stale) throw handshakeError(options, failure);
    try {
      return await once({ mode: "auto" });
    } catch (again) {
      throw handshakeError(options, again);
    }
  }
}

/** The one attempt that a configured `protocol` allows; `null` for `auto`. */
function pinnedAttempt(protocol: string): Attempt | null {
  if (protocol === "auto") return null;
  if (protocol === "legacy") return { mode: "legacy" };
  return pinsModern(protocol) ? { mode: { pin: protocol } } : { mode: "legacy", offer: protocol };
}

/** Whether a configured `protocol` allows the modern era alone. */
export function pinsModern(protocol: string): boolean {
  return protocol !== "auto" && protocol !== "legacy" && protocol >= MODERN_VERSION;
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

/** Why a handshake failed, in the best words there are. */
function handshakeError({ name }: HandshakeOptions, thrown: unknown): Error {
  const own = hotplugErrorIn(thrown);
  if (own !== null) return own;
  const cause = thrown instanceof AttemptFailure ? thrown.cause : thrown;
  const said = thrown instanceof AttemptFailure
    ? thrown.wire.initialize.error ?? errorInBody(thrown)
    : null;
  const loop = readLoop(said?.data);
  if (loop !== null) return loopError(name, loop);
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

function statusOf(thrown: unknown): { readonly status?: number } {
  const failure = httpFailure(thrown);
  return failure === null ? {} : { status: failure.status };
}
