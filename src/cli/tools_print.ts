import type { ToolsDocument } from "./documents.ts";
import { shownDuration } from "./duration.ts";
import { jsonText } from "./json_output.ts";
import type { Output } from "./output.ts";

/** A line of the answer; one that shows an age has it apart, since it grows. */
export type PrintedLine = string | {
  /** Text before the age. */
  readonly before: string;
  /** The age in milliseconds when the answer was made. */
  readonly ageMs: number;
  /** Text behind it. */
  readonly after: string;
};

/** All that `mcp tools` prints, as plain data, laid out for one terminal. */
export interface ToolsAnswer {
  /** What goes to stdout: lines, or the one document. */
  readonly answer: readonly PrintedLine[] | ToolsDocument;
  /** Lines for stderr. */
  readonly remarks: readonly string[];
  /** The exit code. */
  readonly exitCode: number;
}

/**
 * Prints an answer.
 * @param laterMs Milliseconds since it was made, by which ages have grown.
 */
export function printToolsAnswer(output: Output, printed: ToolsAnswer, laterMs: number = 0): void {
  const { answer, remarks } = printed;
  output.stdout.write(
    "schemaVersion" in answer
      ? jsonText(aged(answer, laterMs))
      : `${answer.map((line) => lineText(line, laterMs)).join("\n")}\n`,
  );
  if (remarks.length > 0) output.stderr.write(`${remarks.join("\n")}\n`);
}

/** A line as text. */
export function lineText(line: PrintedLine, laterMs: number = 0): string {
  if (typeof line === "string") return line;
  return `${line.before}${shownDuration(line.ageMs + laterMs)}${line.after}`;
}

/** The document with ages as they are some time later. */
function aged(document: ToolsDocument, laterMs: number): ToolsDocument {
  return {
    ...document,
    servers: document.servers.map((server) => {
      const { cachedAgeMs } = server;
      return { ...server, cachedAgeMs: cachedAgeMs === null ? null : cachedAgeMs + laterMs };
    }),
  };
}
