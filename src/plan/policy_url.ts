import { looselyMatches, wildcardMatches } from "./policy_wildcard.ts";

/** A pattern of addresses, in the form in which addresses are compared. */
export interface UrlPattern {
  /** Scheme in lower case, with wildcards. */
  readonly scheme: string;
  /** Host in lower case, as DNS has it, without a final dot; a wildcard crosses dots. */
  readonly host: string;
  /** Port with wildcards; `null` when the pattern has none. */
  readonly port: string | null;
  /** Path and query; `null` when the pattern ends with the host. */
  readonly rest: string | null;
}

/** An address, taken apart. */
interface Address {
  readonly scheme: string;
  /** The host, and what else it is a spelling of. */
  readonly hosts: readonly string[];
  /** The port, also the usual one. */
  readonly port: string;
  /** Whether that is the scheme's usual port. */
  readonly isUsualPort: boolean;
  /** The path. */
  readonly path: string;
  /** The query with its question mark, or nothing. */
  readonly query: string;
}

/** A path with its query as this program sends it, and as a server may read it. */
const READINGS: readonly ((text: string) => string)[] = [(text) => text, resolvedText];

const USUAL_PORTS: Readonly<Record<string, string>> = {
  "http": "80",
  "https": "443",
  "ws": "80",
  "wss": "443",
};

/** Reads a pattern such as `https://*.example.com/*`; gives what is wrong with it as a clause. */
export function parseUrlPattern(text: string): UrlPattern | string {
  if (text === "*") return { scheme: "*", host: "*", port: "*", rest: "/*" };
  if (/[\s\\#]/.test(text)) return "a pattern holds no white space, no backslash and no fragment";
  const parts = /^([a-z*][a-z\d+.*-]*):\/\/([^/?]*)(.*)$/i.exec(text);
  const [, scheme = "", authority = "", rest = ""] = parts ?? [];
  if (parts === null) return 'a pattern begins with a scheme, such as "https://" or "*://"';
  if (authority.includes("@")) return "a pattern holds no user name";
  const [, written = "", port = null] = /^(\[[^\]]*\]|[^:[\]]*)(?::([\d*]+))?$/.exec(authority) ??
    [];
  const host = hostPattern(written);
  if (host === null) return "its host is none";
  if (/\*[^.]*$/.test(host) && !/^[\d.]*\*$/.test(host)) {
    return 'its host ends with a wildcard, which fits hosts of others too; end it with "/*"';
  }
  if (rest === "") return { scheme: scheme.toLowerCase(), host, port, rest: null };
  const url = parsed(`http://x${rest}`);
  if (url === null) return "its path is none";
  return { scheme: scheme.toLowerCase(), host, port, rest: plain(url.pathname + url.search) };
}

/**
 * Whether a pattern allows an address: every reading of it must fit, letter by letter. Without a
 * port the pattern means the usual one, without a path the bare host.
 */
export function urlAllowed(pattern: UrlPattern, text: string): boolean {
  const url = addressOf(text);
  const [host] = url?.hosts ?? [];
  if (url === null || host === undefined) return false;
  const { scheme, port, rest } = pattern;
  return wildcardMatches(scheme, url.scheme) && wildcardMatches(pattern.host, host) &&
    (port === null ? url.isUsualPort : wildcardMatches(port, url.port)) &&
    READINGS.every((read) => wildcardMatches(read(rest ?? "/"), read(url.path + url.query)));
}

/**
 * Whether a pattern denies an address: one reading of it is enough, in whatever case. Without a
 * port the pattern means all, without a path too, and without a query whatever the query is.
 */
export function urlDenied(pattern: UrlPattern, text: string): boolean {
  const url = addressOf(text);
  if (url === null) return false;
  const { scheme, port, rest } = pattern;
  if (!wildcardMatches(scheme, url.scheme)) return false;
  if (!url.hosts.some((host) => wildcardMatches(pattern.host, host))) return false;
  if (port !== null && !wildcardMatches(port, url.port)) return false;
  if (rest === null) return true;
  const queries = rest.includes("?") ? [url.query] : ["", url.query];
  return READINGS.some((read) =>
    queries.some((query) => {
      const [one, other] = [read(rest), read(url.path + query)];
      return looselyMatches(one, other) || looselyMatches(unended(one), unended(other));
    })
  );
}

function addressOf(text: string): Address | null {
  const url = parsed(text.trim());
  if (url === null || url.hostname === "") return null;
  const scheme = url.protocol.slice(0, -1);
  const host = withoutEnd(url.hostname, ".");
  const mapped = mappedAddress(host);
  return {
    scheme,
    hosts: mapped === null ? [host] : [host, mapped],
    port: url.port === "" ? USUAL_PORTS[scheme] ?? "" : url.port,
    isUsualPort: url.port === "",
    path: plain(url.pathname),
    query: plain(url.search),
  };
}

/** A host with wildcards as it is compared; `null` when it can be none. */
function hostPattern(text: string): string | null {
  if (text === "") return null;
  if (!text.includes("*")) {
    const host = parsed(`http://${text}`)?.hostname ?? "";
    return host === "" ? null : withoutEnd(host, ".");
  }
  const labels = withoutEnd(text.toLowerCase(), ".").split(".").map((label) => {
    if (label.includes("*")) return /^[a-z\d_*-]+$/.test(label) ? label : null;
    if (!/^[\p{L}\p{N}\p{M}_-]+$/u.test(label)) return null;
    return parsed(`http://${label}.x`)?.hostname.slice(0, -2) ?? null;
  });
  return labels.some((label) => label === null) ? null : labels.join(".");
}

/** The IPv4 address that an IPv6 one maps, which leads to the same machine; else `null`. */
function mappedAddress(host: string): string | null {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return null;
  const bytes = [high, low].flatMap((part) => {
    const value = parseInt(part, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join(".");
}

/** A text whose escapes of letters, digits and `-._~` are the characters; other escapes upper case. */
function plain(text: string): string {
  return text.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** How often a text is decoded at most; who encodes more often than servers decode gains nothing. */
const MAX_DECODINGS = 5;

/** A path without escapes, backslashes, doubled slashes and dot segments. */
function resolvedText(text: string): string {
  let decoded = text;
  for (let time = 0; time < MAX_DECODINGS; time++) {
    const next = decoded.replaceAll(
      /%([0-7][\da-f])/gi,
      (_, code: string) => String.fromCharCode(parseInt(code, 16)),
    );
    if (next === decoded) break;
    decoded = next;
  }
  const [path = "", ...query] = decoded.split("?");
  const segments: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/").slice(1)) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  const end = path.endsWith("/") && segments.length > 0 ? "/" : "";
  return [`/${segments.join("/")}${end}`, ...query].join("?");
}

/** A path without its final slash, its query kept. */
function unended(text: string): string {
  const [path = "", ...query] = text.split("?");
  return [withoutEnd(path, "/"), ...query].join("?");
}

/** A text without the characters of one kind that end it. */
function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end--;
  return text.slice(0, end);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
