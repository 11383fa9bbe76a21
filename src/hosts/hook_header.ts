import { createHash } from "node:crypto";

/** What the first line of a hook file says, and whether the rest is what it was written for. */
export interface HookHeader {
  /** Kind of host that the file is for. */
  readonly kind: string;
  /** Version of Hotplug that wrote it. */
  readonly version: string;
  /** Whether nobody changed the file since. */
  readonly isIntact: boolean;
}

/** The first line: who wrote the file, and the hash of all that follows it. */
const HEADER = /^\W*hotplug hook ([\w-]{1,40}) v(\S{1,40}) sha256:([0-9a-f]{64})\W*$/;

/** The SHA-256 of a text in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A script with a first line by which a later change of it is seen. Pure. */
export function withHookHeader(kind: string, version: string, body: string): string {
  return `// hotplug hook ${kind} v${version} sha256:${hashOf(body)}\n${body}`;
}

/** What the first line of a file says; `null` when it is no hook file. Pure. */
export function hookHeader(text: string): HookHeader | null {
  const end = text.indexOf("\n");
  if (end < 0) return null;
  // An editor may have put a mark before the text.
  const first = text.slice(0, end).replace(/^\ufeff/, "").replace(/\r$/, "");
  const [, kind, version, hash] = HEADER.exec(first) ?? [];
  if (kind === undefined || version === undefined) return null;
  const rest = text.slice(end + 1);
  // Version control may write the same lines with other ends.
  const isIntact = [rest, rest.replaceAll("\r\n", "\n")].some((body) => hashOf(body) === hash);
  return { kind, version, isIntact };
}
