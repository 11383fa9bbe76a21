import { MASK } from "./argument_view.ts";
import { isPlaceholder } from "./secret_words.ts";

/** A URL in pieces; joined in this order they are the text again. */
interface UrlPieces {
  /** Scheme with colon and slashes. */
  readonly scheme: string;
  /** User info with its `@`; empty when there is none. */
  readonly userInfo: string;
  /** Host, port and path. */
  readonly place: string;
  /** Query with its `?`. */
  readonly query: string;
  /** Fragment with its `#`. */
  readonly fragment: string;
}

/** Takes a URL apart as text, since placeholders in it would not survive a parser. */
function urlPieces(url: string): UrlPieces {
  const hash = url.indexOf("#");
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const mark = queryStart(beforeHash);
  const base = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  const scheme = /^\s*[A-Za-z][A-Za-z0-9+.-]*:[\\/]*/.exec(base)?.[0] ?? "";
  const rest = base.slice(scheme.length);
  const authority = /^[^\\/]*/.exec(rest)?.[0] ?? "";
  const at = authority.lastIndexOf("@");
  return {
    scheme,
    userInfo: rest.slice(0, at + 1),
    place: rest.slice(at + 1),
    query: mark < 0 ? "" : beforeHash.slice(mark),
    fragment: hash < 0 ? "" : url.slice(hash),
  };
}

/** Where the query begins: the first `?` that stands in no placeholder. */
function queryStart(url: string): number {
  let depth = 0;
  for (let at = 0; at < url.length; at++) {
    if (url[at] === "{") depth++;
    else if (url[at] === "}") depth--;
    else if (url[at] === "?" && depth <= 0) return at;
  }
  return -1;
}

/**
 * A URL for humans: user info, query values and fragment are replaced, and so are long segments of
 * the path that no human would choose, as several hosted servers put the key there. Placeholders
 * and all other text stay as written.
 */
export function shownUrl(url: string): string {
  const { scheme, userInfo, place, query, fragment } = urlPieces(url);
  const path = place.replace(/(?<=\/)[^/]+/g, (segment) => isOpaque(segment) ? MASK : segment);
  return scheme + (userInfo === "" ? "" : `${MASK}@`) + path + maskedQuery(query) +
    (fragment.length > 1 ? `#${MASK}` : fragment);
}

/** A query with its values replaced; the names stay. */
function maskedQuery(query: string): string {
  if (query.length < 2) return query;
  const parts = query.slice(1).split("&").map((part) => {
    const split = part.indexOf("=");
    if (split < 0) return part.length < 8 || isPlaceholder(part) ? part : MASK;
    const value = part.slice(split + 1);
    return value === "" || isPlaceholder(value) ? part : `${part.slice(0, split)}=${MASK}`;
  });
  return `?${parts.join("&")}`;
}

/** The secrets in a text that is a URL, raw and decoded; none when it is no URL. */
export function urlSecrets(text: string): readonly string[] {
  if (!/^\s*[A-Za-z][A-Za-z0-9+.-]*:[\\/]/.test(text)) return [];
  const { userInfo, place, query } = urlPieces(text);
  const found: string[] = [];
  if (userInfo !== "") {
    const login = userInfo.slice(0, -1);
    found.push(login, login.slice(login.indexOf(":") + 1));
  }
  for (const part of query.slice(1).split("&")) {
    const split = part.indexOf("=");
    if (split >= 0 || part.length >= 8) found.push(part.slice(split + 1));
  }
  found.push(...place.split("/").slice(1).filter(isOpaque));
  return [...found, ...found.flatMap(decoded)].filter((secret) => secret !== "");
}

/** Whether a segment of a path is a key rather than a word: long, with letters and digits mixed. */
function isOpaque(segment: string): boolean {
  return /^[\w.~=%-]{24,}$/.test(segment) && /\d/.test(segment) && /[A-Za-z]/.test(segment);
}

function decoded(text: string): readonly string[] {
  try {
    const plain = decodeURIComponent(text.replaceAll("+", " "));
    return plain === text ? [] : [plain];
  } catch {
    // A stray percent sign: the raw text is all there is.
    return [];
  }
}
