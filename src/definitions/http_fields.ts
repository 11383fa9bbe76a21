import type { ErrorInfo } from "../model/errors.ts";

/** Whether a text can be the name of an HTTP header: a token of RFC 9110. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

/**
 * Whether a text can be the value of an HTTP header: no line break and no NUL inside, and only
 * characters up to U+00FF. White space around it is allowed, as every client strips it.
 */
export function isHeaderValue(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return !/[\r\n\u0000]|[^\u0000-\u00ff]/.test(text.trim());
}

/**
 * Why a text cannot be the URL of a remote server, or `null`. The message never quotes it.
 * @param withPlaceholders whether `${…}`, `{env:…}`, `$NAME` and `$env:NAME` in it may stand for
 * anything.
 */
export function urlFault(url: string, withPlaceholders: boolean): ErrorInfo | null {
  let text = url.trim();
  if (withPlaceholders) {
    if (/^[^:/?#{]*\{|^\$(?:env:)?[A-Za-z_]/.test(text)) return null;
    // A digit fits wherever a value can stand: in a host, as a port, in path and query.
    text = text.replace(/\$?\{[^{}]*\}/g, "1").replace(/\$?\{[^{}]*\}/g, "1")
      .replace(/\$(?:env:)?[A-Za-z_]\w*/g, "1");
  }
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return null;
  const bare = /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#]|$)/i.test(text);
  return {
    code: "config-invalid",
    message: `Cannot use "url": it must be an http or https URL`,
    hint: bare ? `Write "http://" or "https://" before it` : null,
  };
}

/** Whether a URL holds a user name or password; placeholders in it do not matter. */
export function hasUserInfo(url: string): boolean {
  return /^[^:/\\?#]*:[\\/]*([^\\/?#]*)/.exec(url.trim())?.[1]?.includes("@") ?? false;
}
