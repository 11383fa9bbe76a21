import type { ErrorInfo } from "../model/errors.ts";
import { shownName } from "../model/remedies.ts";
import type { Paint } from "./colour.ts";
import { shownLine, shownLines } from "./shown.ts";

/** How many of a server's last stderr lines stand under its error. */
const STDERR_LINES = 5;

/** How an error is shown. */
export interface ErrorTextOptions {
  /** What stands before the message, such as `Error: `. Default: nothing. */
  readonly prefix?: string;
  /** What stands before every line. Default: nothing. */
  readonly indent?: string;
  /** Gives colour. */
  readonly paint: Paint;
  /** Whether to show causes and all that is known of stderr. Default `false`. */
  readonly verbose?: boolean;
}

/**
 * An error as lines: the message, the end of the server's stderr, the hint. Everything is escaped
 * for the terminal.
 */
export function errorLines(error: ErrorInfo, options: ErrorTextOptions): readonly string[] {
  const { paint, prefix = "", indent = "" } = options;
  const [first = "", ...rest] = shownLines(error.message.trim());
  const lines = [paint("red", prefix + first), ...rest.map((line) => paint("red", `  ${line}`))];
  if (options.verbose === true) {
    for (const cause of error.causes ?? []) {
      if (!error.message.includes(cause)) lines.push(paint("dim", `  cause: ${shownLine(cause)}`));
    }
  }
  for (const line of stderrLines(error, options.verbose === true)) {
    lines.push(paint("dim", `  | ${line}`));
  }
  if (error.hint !== null) lines.push(paint("yellow", `  hint: ${shownLine(error.hint)}`));
  return lines.map((line) => indent + line);
}

/** The error of a server; one that has no hint gets the command that tells more. */
export function withNextStep(error: ErrorInfo, server: string): ErrorInfo {
  if (error.hint !== null || error.code === "aborted") return error;
  return { ...error, hint: `To see more: mcp status ${shownName(server)} --verbose` };
}

/** What happened, on one line. */
export function errorSummary(error: ErrorInfo): string {
  return shownLine(error.message);
}

/** The last lines of stderr; none that the message already quotes. */
function stderrLines(error: ErrorInfo, all: boolean): readonly string[] {
  const lines = shownLines(error.stderr ?? "").map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const kept = all ? lines : lines.slice(-STDERR_LINES);
  const message = shownLine(error.message);
  return kept.filter((line) => !message.includes(line.trim()));
}
