import type { LogLine } from "../model/server_log.ts";
import type { Document } from "./documents.ts";

/** `mcp logs --json`. With `--follow` each line stands alone, without a document around them. */
export interface LogsDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** The lines of all servers that were asked for, oldest first. */
  readonly lines: readonly LogLine[];
}
