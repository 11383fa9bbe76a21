/**
 * What is put before the URI of a server that another server has, too: `mcp+<server>:`. The name
 * stands in what is then the scheme of the URI, in which hosts take letters, digits, `+`, `-` and `.`
 * alone: everything else is encoded as in percent encoding with a dot in the place of the per cent,
 * so that `my_server` is `my.5fserver`. Characters beyond U+00FF are two dots and four digits.
 */
export function uriPrefix(server: string): string {
  const encoded = server.replaceAll(/[^A-Za-z0-9-]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16);
    return code.length <= 2 ? `.${code.padStart(2, "0")}` : `..${code.padStart(4, "0")}`;
  });
  return `mcp+${encoded}:`;
}

/**
 * The prefixes that were given out, and the servers that they mean. A host may have written one in
 * small letters, as the schemes of URIs are the same in both.
 */
export class UriPrefixes {
  readonly #given = new Map<string, string>();
  /** The same in small letters; `null` where two servers would share one. */
  readonly #small = new Map<string, string | null>();

  /** The prefix of a server, which counts as given out from now on. */
  give(server: string): string {
    const prefix = uriPrefix(server);
    if (this.#given.has(prefix)) return prefix;
    this.#given.set(prefix, server);
    const small = prefix.toLowerCase();
    this.#small.set(small, this.#small.has(small) ? null : server);
    return prefix;
  }

  /** The server and its own URI, of a URI with a prefix that was given out; else `null`. */
  find(uri: string): { readonly server: string; readonly uri: string } | null {
    if (this.#given.size === 0) return null;
    const end = uri.indexOf(":") + 1;
    const prefix = uri.slice(0, end);
    const server = this.#given.get(prefix) ?? this.#small.get(prefix.toLowerCase()) ?? null;
    return server === null ? null : { server, uri: uri.slice(end) };
  }
}
