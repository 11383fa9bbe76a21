const HEX: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export async function sha256Hex(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/**
 * HMAC-SHA-256 of a text's UTF-8 bytes, as 64 hex digits: a digest of secrets from which nobody
 * without the key can guess them.
 */
export async function hmacHex(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => HEX[byte]).join("");
}
