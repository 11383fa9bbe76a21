import { closeSync, constants, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { WireTrace, WireTraceEvent } from "../model/wire_trace.ts";
import { errnoText } from "../platform/errno.ts";
import { painter } from "./colour.ts";
import { harmlessJson } from "./json_output.ts";
import type { Sink } from "./output.ts";
import { usageError } from "./run_action.ts";

/** Where the messages from and to servers are written. */
export interface TraceOutput {
  /** Writes one message. */
  readonly write: WireTrace;
  /** Ends it. Idempotent. */
  close(): void;
}

/**
 * Opens what `--trace` names: `-` is stderr, anything else a file that is added to, private when it
 * is new. Lines are written at once, so that none is missing when the program is killed. When they
 * cannot be written any more, that is said once.
 *
 * @throws {HotplugError} `usage` when the file cannot be opened.
 */
export function openTrace(target: string, cwd: string, stderr: Sink): TraceOutput {
  if (target === "-") {
    return { write: (event) => stderr.write(traceLine(event)), close(): void {} };
  }
  const path = resolve(cwd, target);
  let file: number | null;
  try {
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  } catch (thrown) {
    throw usageError(`Cannot write the trace to "${path}": ${errnoText(thrown)}`, null);
  }
  const close = (): void => {
    const open = file;
    file = null;
    if (open !== null) closeSync(open);
  };
  return {
    write(event): void {
      if (file === null) return;
      try {
        const bytes = new TextEncoder().encode(traceLine(event));
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      } catch (thrown) {
        const text = `warning: Cannot write the trace any more: ${errnoText(thrown)}`;
        stderr.write(`${painter(stderr.colour)("yellow", text)}\n`);
        close();
      }
    },
    close,
  };
}

/**
 * A message as one line of JSON. Its frame stands in it digit by digit as it was; where it is not
 * whole, what is there stands as a text under `cut`.
 */
export function traceLine({ frame, ...event }: WireTraceEvent): string {
  const more = isJson(frame) ? `"frame":${frame}` : `"cut":${JSON.stringify(frame)}`;
  return `${harmlessJson(`${JSON.stringify(event).slice(0, -1)},${more}}`)}\n`;
}

/** Whether it is whole: cut, or with a secret replaced that was part of what made it JSON, it is not. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
