import process from "node:process";

/**
 * SHA-256 of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits, computed at once.
 *
 * Public names must be known synchronously, which `crypto.subtle` cannot do; and importing
 * `node:crypto` would cost every start some 10 ms for the few names that need a hash, so it is
 * loaded when the first one does.
 */
export function sha256HexNow(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
