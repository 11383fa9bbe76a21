import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";

/** A token, and who shows it. */
export interface Token {
  /** Who is spoken to; several tokens may be of one. */
  readonly principal: string;
  /** The token. */
  readonly token: string;
}

/** What stands before a token in `Authorization`. */
const SCHEME = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Tells who a request comes from, by the token that it shows. */
export class Principals {
  readonly #tokens: readonly { readonly principal: string; readonly bytes: Uint8Array }[];

  /** Knows these. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens.map(({ principal, token }) => ({ principal, bytes: Buffer.from(token) }));
  }

  /**
   * Who shows this `Authorization`; `null` for nobody who is known. It takes as long for every token
   * of one length.
   */
  of(authorization: string | null): string | null {
    const token = authorization === null ? undefined : SCHEME.exec(authorization)?.[1];
    if (token === undefined) return null;
    const shown = Buffer.from(token);
    let found: string | null = null;
    for (const { principal, bytes } of this.#tokens) {
      const isSame = bytes.byteLength === shown.byteLength && timingSafeEqual(bytes, shown);
      if (isSame) found = principal;
    }
    return found;
  }
}
