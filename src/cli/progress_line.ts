import type { Progress } from "../model/tool.ts";
import { cutToWidth } from "../tools/display_width.ts";
import type { Sink } from "./output.ts";
import { shownLine } from "./shown.ts";

/** Where a call's progress is shown. */
export interface ProgressLine {
  /** Shows how far the call has come, in place of what was shown before. */
  show(progress: Progress): void;
  /** Removes it. */
  clear(): void;
}

/** A line on a terminal's stderr that is written over; elsewhere nothing is shown. */
export function progressLine(sink: Sink): ProgressLine {
  let isShown = false;
  return {
    show(progress): void {
      if (!sink.isTerminal) return;
      isShown = true;
      const line = cutToWidth(progressText(progress), (sink.columns ?? 80) - 1);
      sink.write(`\r\x1b[K${line}`);
    },
    clear(): void {
      if (isShown) sink.write("\r\x1b[K");
      isShown = false;
    },
  };
}

/** Progress in words: `12/40 (30%) copying`. */
export function progressText({ progress, total, message }: Progress): string {
  const share = total === undefined || total <= 0
    ? ""
    : `/${total} (${Math.min(100, Math.floor((progress / total) * 100))}%)`;
  const text = message === undefined || message === "" ? "" : ` ${shownLine(message)}`;
  return `${progress}${share}${text}`;
}
