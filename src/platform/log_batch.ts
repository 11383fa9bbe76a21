import type { LogLine } from "../model/server_log.ts";
import { lineText } from "./log_line.ts";
import type { LogBatch } from "./log_queue.ts";

/** Bytes that are written at one time: 512 KiB. Older lines of a batch are left out beyond it. */
export const MAX_BATCH_BYTES: number = 512 * 1024;

/**
 * A batch as it is written: the newest lines that fit, oldest first, and before them a line that
 * says how many were left out.
 *
 * @param origin What all lines have in common.
 * @param now Milliseconds since 1970, for a batch without lines.
 */
export function batchText(
  { lines, dropped }: LogBatch,
  origin: Pick<LogLine, "pid" | "server" | "workspace">,
  now: number,
): string {
  const texts: string[] = [];
  let size = 0;
  let first = lines.length;
  while (first > 0) {
    const line = lines[first - 1];
    if (line === undefined) break;
    const { at, level, stream, message } = line;
    const text = lineText({ time: timeText(at), level, stream, ...origin, message });
    size += utf8Length(text);
    if (size > MAX_BATCH_BYTES) break;
    texts.push(text);
    first--;
  }
  const missing = dropped + first;
  if (missing > 0) {
    texts.push(lineText({
      time: timeText(lines[first]?.at ?? now),
      level: "warn",
      stream: "hotplug",
      ...origin,
      message: `Left out ${missing} ${missing === 1 ? "line" : "lines"} that could not be kept`,
    }));
  }
  return texts.reverse().join("");
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** Bytes that a text takes at most: exact for ASCII, which most logs are. */
function utf8Length(text: string): number {
  // deno-lint-ignore no-control-regex -- ASCII is the range of these characters
  return /^[\x00-\x7f]*$/.test(text) ? text.length : text.length * 3;
}
