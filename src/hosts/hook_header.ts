import { createHash } from "node:crypto";

/** What the first line of a hook file tells. */
export interface HookHeader {
  /** Kind of the file. */
  readonly kind: string;
  /** Version of Hotplug that wrote it. */
  readonly version: string;
  /** Whether all that follows is as it was written. Line ends do not count. */
  readonly isUnchanged: boolean;
}

const HEADER = /^\/\/ hotplug hook (\S+) v(\S+) sha256:([0-9a-f]{64})$/;

/** The SHA-256 of a text in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A script with a first line by which `readHookHeader` sees a later change of it. Pure. */
export function withHookHeader(kind: string, version: string, body: string): string {
  return `// hotplug hook ${kind} v${version} sha256:${hashOf(body)}\n${body}`;
}

/** What the first line of a file tells; `null` when it is no hook file. Pure. */
export function readHookHeader(text: string): HookHeader | null {
  const unix = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const end = unix.indexOf("\n");
  const [, kind, version, hash] = HEADER.exec(end < 0 ? "" : unix.slice(0, end)) ?? [];
  if (kind === undefined || version === undefined) return null;
  return { kind, version, isUnchanged: hashOf(unix.slice(end + 1)) === hash };
}
