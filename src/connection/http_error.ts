import { shownUrl } from "../definitions/shown_url.ts";
import { HotplugError, type HotplugErrorOptions } from "../model/errors.ts";
import { quoted } from "./noise.ts";

/** An HTTP answer that was no success, as the SDK reports it. */
export interface HttpFailure {
  /** Its status. */
  readonly status: number;
  /** The start of its body; empty when it had none. */
  readonly body: string;
}

/** The HTTP answer behind a thrown value, looked for along its causes; `null` when there is none. */
export function httpFailure(thrown: unknown): HttpFailure | null {
  for (const error of causeChain(thrown)) {
    const { data } = error as { readonly data?: unknown };
    if (typeof data === "object" && data !== null) {
      const { status, text } = data as { readonly status?: unknown; readonly text?: unknown };
      if (typeof status === "number") {
        return { status, body: typeof text === "string" ? text : "" };
      }
    }
    const match = /^Error POSTing to endpoint \(HTTP (\d{3})\): ?(.*)$/s.exec(error.message);
    if (match !== null) return { status: Number(match[1]), body: match[2] ?? "" };
    const stream = /Non-200 status code \((\d{3})\)/.exec(error.message);
    if (stream !== null) return { status: Number(stream[1]), body: "" };
  }
  return null;
}

/** The error of ours behind a thrown value, looked for along its causes. */
export function hotplugErrorIn(thrown: unknown): HotplugError | null {
  for (const error of causeChain(thrown)) if (error instanceof HotplugError) return error;
  return null;
}

/** Whether nobody answered at all, not even to refuse. */
export function isUnreachable(thrown: unknown): boolean {
  const error = hotplugErrorIn(thrown);
  return error?.code === "server-unreachable" && error.details["status"] === undefined;
}

/** An HTTP status that was no success, as an error. */
export function statusError(name: string, url: URL, failure: HttpFailure): HotplugError {
  const body = failure.body.trim();
  const said = body === "" ? "" : `: ${quoted(body, 200)}`;
  return new HotplugError(
    "server-unreachable",
    `Cannot reach "${name}": ${shownUrl(url.href)} answered HTTP ${failure.status}${said}`,
    {
      hint: failure.status === 404 || failure.status === 405
        ? "Check the path of the url"
        : failure.status >= 500
        ? "The server itself failed; try again later"
        : "Check url and headers of its entry",
      details: { status: failure.status, delivered: failure.status >= 500 ? "unknown" : "no" },
    },
  );
}

/**
 * An answer with success that is none of the protocol: most often the page of a web server, whose
 * endpoint has another path.
 */
export function foreignAnswer(
  name: string,
  url: URL,
  answer: { readonly type: string; readonly start: string },
): HotplugError {
  const isPage = answer.type === "text/html";
  const what = isPage ? "a web page" : answer.type === "" ? "no type" : answer.type;
  const said = isPage || answer.start.trim() === "" ? "" : `: ${quoted(answer.start.trim(), 200)}`;
  return new HotplugError(
    "server-unreachable",
    `Cannot reach "${name}": ${
      shownUrl(url.href)
    } answered with ${what}, not as an MCP server${said}`,
    {
      hint: "Check the path of the url: servers often stand at /mcp or /sse",
      details: { delivered: "unknown" },
    },
  );
}

/** No stream is open any more that could bring what was only accepted. */
export function lostStream(name: string, why: string): HotplugError {
  return new HotplugError("connection-closed", `Lost the stream from "${name}": ${why}`, {
    details: { delivered: "unknown" },
  });
}

interface Diagnosis {
  readonly pattern: RegExp;
  readonly says: string;
  readonly hint: string | null;
  /** Whether the request surely never reached the server. */
  readonly delivered: "no" | "unknown";
}

/** By codes of Node and Bun and by words of Deno, which has no codes. First match wins. */
const DIAGNOSES: readonly Diagnosis[] = [
  {
    pattern: /ECONNREFUSED|ConnectionRefused|connection refused|actively refused/i,
    says: "the connection was refused",
    hint: "Check that the server is running, and its host and port",
    delivered: "no",
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|EAI_NODATA|dns error|failed to lookup|name or service not known|no such host/i,
    says: "its host name was not found",
    hint: "Check the host in the url, and the network",
    delivered: "no",
  },
  {
    pattern: /EHOSTUNREACH|ENETUNREACH|ENETDOWN|no route to host|network is unreachable/i,
    says: "its network cannot be reached",
    hint: "Check the network or the VPN",
    delivered: "no",
  },
  {
    pattern: /Requests to port \d+ are blocked|bad port/i,
    says: "web clients may not use that port",
    hint: "Let the server listen on another port",
    delivered: "no",
  },
  {
    pattern: /InvalidContentType|wrong.version.number|packet length too long|EPROTO/i,
    says: "what listens there does not speak TLS",
    hint: "Check the port, and whether the url should begin with http:// instead",
    delivered: "no",
  },
  {
    pattern:
      /certificate|UnknownIssuer|CERT_|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ERR_TLS|TLS|SSL/i,
    says: "its TLS certificate was not accepted",
    hint:
      "For a private authority name its certificate file in NODE_EXTRA_CA_CERTS (Deno: DENO_CERT)",
    delivered: "no",
  },
  {
    pattern: /UND_ERR_CONNECT_TIMEOUT/,
    says: "no connection in time",
    hint: "Check the host and the network",
    delivered: "no",
  },
  {
    pattern:
      /ECONNRESET|EPIPE|connection reset|socket hang up|UND_ERR_SOCKET|closed before message|connection closed|broken pipe|unexpected end of file|error reading a body|IncompleteMessage|terminated/i,
    says: "the connection broke",
    hint: "Check that an HTTP server listens there, and whether the url wants http or https",
    delivered: "unknown",
  },
  {
    pattern: /ETIMEDOUT|timed out|TimeoutError|UND_ERR_HEADERS_TIMEOUT/i,
    says: "the connection timed out",
    hint: null,
    delivered: "unknown",
  },
];

/**
 * A failed `fetch` of Deno, Node or Bun as one error: what it means, and the nested cause. Its
 * `details.delivered` is `no` when the request surely did not reach the server, else `unknown`.
 */
export function networkError(name: string, url: URL, thrown: unknown): HotplugError {
  const chain = [...causeChain(thrown)];
  const words = chain.map((error) => {
    const { code } = error as { readonly code?: unknown };
    return typeof code === "string" ? `${code} ${error.message}` : error.message;
  });
  const found = DIAGNOSES.find(({ pattern }) => words.some((text) => pattern.test(text)));
  const last = chain[chain.length - 1];
  const cause = new Error(withoutSecrets(last?.message ?? String(thrown)));
  const options: HotplugErrorOptions = {
    hint: found?.hint ?? null,
    cause,
    details: { delivered: found?.delivered ?? "unknown" },
  };
  return new HotplugError(
    "server-unreachable",
    `Cannot reach "${name}" at ${shownUrl(url.href)}: ${
      found?.says ?? (withoutSecrets(last?.message ?? "") || "the request failed")
    }`,
    options,
  );
}

/** A text whose urls have lost what may be secret in them: user, password, query, fragment. */
function withoutSecrets(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s"'()<>]+/g, (url) => shownUrl(url));
}

/** A thrown value and the errors behind it, nearest first; at most eight, cycles cut. */
export function causeChain(thrown: unknown): Error[] {
  const chain: Error[] = [];
  const queue: unknown[] = [thrown];
  while (queue.length > 0 && chain.length < 8) {
    const current = queue.shift();
    if (!(current instanceof Error) || chain.includes(current)) continue;
    chain.push(current);
    queue.push(current.cause);
    const { data } = current as { readonly data?: unknown };
    if (typeof data === "object" && data !== null) queue.push((data as { cause?: unknown }).cause);
    if (current instanceof AggregateError) queue.push(...current.errors);
  }
  return chain;
}
