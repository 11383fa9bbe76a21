import type { Transport } from "@modelcontextprotocol/client";
import type { AuthProvider } from "../model/auth.ts";
import type { ResolvedConfig } from "../model/definition.ts";
import { HotplugError } from "../model/errors.ts";
import { LARGEST_MESSAGE } from "./bounded_body.ts";
import { configuredHeaders } from "./configured_headers.ts";
import { GuardedFetch, type GuardedFetchOptions } from "./guarded_fetch.ts";
import type { Sdk } from "./sdk.ts";
import { tellOrigins } from "./stream_origin.ts";
import { settledWithin, systemTimers, type Timers } from "./timers.ts";

/** Milliseconds that a server gets to hear that a session ends. */
const GOODBYE_MS = 1_000;

/** Times that a broken stream is asked for again before it is given up. */
const STREAM_RETRIES = 5;

/**
 * Shortest and longest milliseconds before a stream is asked for again, whatever the server wishes:
 * with `retry: 0` it would be asked without a pause, with a day it would keep a program alive.
 */
const RECONNECT_MS = { shortest: 250, longest: 60_000 };

/** What an HTTP transport tells beside its messages. */
export type HttpEvents = Pick<
  GuardedFetchOptions,
  "onAccepted" | "isAwaited" | "onStreamLost" | "onReopened" | "onAnswerLost" | "onUnreachable"
>;

/** What {@linkcode openHttp} takes. */
export interface HttpOptions extends HttpEvents {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Where it is, and the headers to send. */
  readonly config: ResolvedConfig;
  /** Which transport. */
  readonly kind: "streamable_http" | "sse";
  /** Gives the token, when there is one. */
  readonly authProvider?: AuthProvider | undefined;
  /** Replaces known secrets in what is told of refusals. Default: none. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Largest message in bytes. Default: that of stdio. */
  readonly maxMessageBytes?: number | undefined;
  /** The clock of streams. Default: the machine's. */
  readonly timers?: Timers | undefined;
}

/** An HTTP transport, and how to end it. */
export interface HttpLine {
  /** The SDK's transport. */
  readonly transport: Transport;
  /** Where it connects to. */
  readonly url: URL;
  /** The last failure of ours on it, which the transport may have flattened to a text. */
  lastError(): HotplugError | null;
  /** Ends the session and the transport: bounded, never rejects. */
  close(): Promise<void>;
}

/**
 * Makes a transport of the SDK over our own `fetch`. Nothing is sent yet.
 * @throws {HotplugError} `config-invalid` for a url or a header that cannot be used.
 */
export function openHttp(sdk: Sdk, options: HttpOptions): HttpLine {
  const { name, config, kind, timers = systemTimers } = options;
  const url = endpoint(name, config.url ?? "");
  const guarded = new GuardedFetch({
    name,
    url,
    kind,
    headers: configuredHeaders(name, config.headers),
    authProvider: options.authProvider,
    mask: options.mask,
    maxMessageBytes: options.maxMessageBytes ?? LARGEST_MESSAGE,
    onAccepted: options.onAccepted,
    isAwaited: options.isAwaited,
    onStreamLost: options.onStreamLost,
    onReopened: options.onReopened,
    onAnswerLost: options.onAnswerLost,
    onUnreachable: options.onUnreachable,
    timers,
  });
  const lastError = (): HotplugError | null => guarded.lastError;
  if (kind === "sse") {
    const transport = new sdk.SSEClientTransport(url, { fetch: guarded.fetch });
    return { transport, url, lastError, close: () => closeQuietly(transport) };
  }
  const reconnects = new Set<() => void>();
  const transport = new sdk.StreamableHTTPClientTransport(url, {
    fetch: guarded.fetch,
    // The SDK's own keeps track of one timer alone, and the others would outlive the close.
    reconnectionScheduler: (reconnect, ms) => {
      const wait = Math.min(Math.max(ms, RECONNECT_MS.shortest), RECONNECT_MS.longest);
      const stop = timers.after(wait, () => {
        reconnects.delete(stop);
        reconnect();
      });
      reconnects.add(stop);
      return stop;
    },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 8_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: STREAM_RETRIES,
    },
  });
  tellOrigins(transport);
  return {
    transport,
    url,
    lastError,
    async close(): Promise<void> {
      if (transport.sessionId !== undefined) {
        await settledWithin(transport.terminateSession(), GOODBYE_MS);
      }
      await closeQuietly(transport);
      for (const stop of reconnects) stop();
    },
  };
}

function endpoint(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new HotplugError(
    "config-invalid",
    `Cannot connect to "${name}": its url is not an http or https address`,
  );
}

async function closeQuietly(transport: Transport): Promise<void> {
  try {
    await transport.close();
  } catch {
    // It is closed all the same.
  }
}
