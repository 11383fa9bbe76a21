/** Base64 as servers really send it, made into what vendors and decoders take. */

/** What stood in a `data` field. */
export interface Base64Data {
  /** Standard base64 with padding, or `null` when it is no base64. */
  readonly data: string | null;
  /** Number of bytes that it decodes to; 0 when it is no base64. */
  readonly size: number;
  /** Media type that its `data:` prefix names, or that its first bytes show; else `null`. */
  readonly mimeType: string | null;
}

/** Beginnings, in base64, of the picture formats that model vendors take. */
const SIGNATURES: readonly (readonly [pattern: RegExp, mimeType: string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD[dl]h/, "image/gif"],
  [/^UklGR.{7}RUJQ/, "image/webp"],
];

/**
 * Reads base64 with a `data:` prefix, white space, the URL-safe alphabet or missing padding as
 * well. Never throws: what cannot be base64 has `data: null`. [E06]
 */
export function readBase64(text: string): Base64Data {
  const prefix = /^\s*data:([^,;]*)(?:;[^,]*)?,/i.exec(text);
  const body = text.slice(prefix?.[0].length ?? 0);
  const named = prefix?.[1] ?? "";
  const compact = body
    .replaceAll(/[\s\u{feff}]+/gu, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(compact) || compact.length % 4 === 1) {
    return { data: null, size: 0, mimeType: named === "" ? null : named.toLowerCase() };
  }
  return {
    data: compact + "=".repeat((4 - (compact.length % 4)) % 4),
    size: Math.floor((compact.length * 3) / 4),
    mimeType: pictureType(compact) ?? (named === "" ? null : named.toLowerCase()),
  };
}

/** The bytes of standard base64, as {@linkcode readBase64} gives it. */
export function base64Bytes(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/** A number of bytes for humans: `512 B`, `1.5 KB`, `3.2 MB`; 1 KB is 1,024 bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / (1024 * 1024), "MB"];
  return `${value.toFixed(1)} ${unit}`;
}

function pictureType(base64: string): string | null {
  for (const [pattern, mimeType] of SIGNATURES) {
    if (pattern.test(base64.slice(0, 24))) return mimeType;
  }
  return null;
}
