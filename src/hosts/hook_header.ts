import { createHash } from "node:crypto";

/** The SHA-256 of a text in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A script with a first line by which `readHookHeader` sees a later change of it. Pure. */
export function withHookHeader(kind: string, version: string, body: string): string {
  return `// hotplug hook ${kind} v${version} sha256:${hashOf(body)}\n${body}`;
}
