import { cutToWidth } from "../tools/display_width.ts";
import type { Sink } from "./output.ts";
import { shownLine } from "./shown.ts";

/** How long nothing is said: most servers are there by then. Milliseconds. */
const QUIET_MS = 1_000;

/** How often the line is drawn anew, in milliseconds. */
const TICK_MS = 500;

/** What a waiting line is drawn with. */
export interface WaitingLineOptions {
  /** Names of the servers that are still waited for. */
  readonly names: () => readonly string[];
  /** Whether stderr carries a log, which a line that is drawn anew would garble. */
  readonly verbose: boolean;
  /** Runs a function again and again; gives what ends it. Default: a timer. */
  readonly every?: (action: () => void, milliseconds: number) => () => void;
  /** Milliseconds since some moment. Default: the machine's. */
  readonly now?: () => number;
}

/**
 * Says on a terminal's stderr, from the first second on, which servers a command is waiting for:
 * `waiting for a, b (3s)`. Elsewhere nothing is said.
 * @returns What removes the line for good.
 */
export function waitingLine(sink: Sink, options: WaitingLineOptions): () => void {
  if (!sink.isTerminal || options.verbose) return () => {};
  const { names, every = timer, now = (): number => performance.now() } = options;
  const start = now();
  let isShown = false;
  const clear = (): void => {
    if (isShown) sink.write("\r\x1b[K");
    isShown = false;
  };
  const end = every(() => {
    const elapsed = now() - start;
    const waited = names();
    if (elapsed < QUIET_MS || waited.length === 0) return clear();
    isShown = true;
    const text = `waiting for ${waited.map(shownLine).join(", ")}`;
    const time = ` (${Math.floor(elapsed / 1_000)}s)`;
    const room = (sink.columns ?? 80) - 1 - time.length;
    sink.write(`\r\x1b[K${cutToWidth(text, room)}${time}`);
  }, TICK_MS);
  return () => {
    end();
    clear();
  };
}

/** A repeated timer. */
function timer(action: () => void, milliseconds: number): () => void {
  const handle = setInterval(action, milliseconds);
  return () => clearInterval(handle);
}
