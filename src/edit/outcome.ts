import type { ErrorInfo } from "../model/errors.ts";
import type { EditedFile } from "./file_edit.ts";

/** What became of one server in an edit. */
export interface EditedServer {
  /** Its name. */
  readonly name: string;
  /**
   * - `added`, `replaced`, `removed`, `enabled`, `disabled`: written
   * - `unchanged`: it was so already
   * - `refused`: not written, for the reason in `error`
   */
  readonly done:
    | "added"
    | "replaced"
    | "removed"
    | "enabled"
    | "disabled"
    | "unchanged"
    | "refused";
  /** The file that was or would have been changed; `null` when there is none. */
  readonly path: string | null;
  /** Why it was refused. */
  readonly error: ErrorInfo | null;
  /** What the user should know though it was written. */
  readonly warnings: readonly string[];
}

/** What an edit did, or would do. */
export interface EditOutcome {
  /** One for each server that was asked for. */
  readonly servers: readonly EditedServer[];
  /** Files whose text changed, or would. Their texts may hold secrets. */
  readonly files: readonly EditedFile[];
}

/** Which of the files changed. */
export function changedFiles(files: readonly EditedFile[]): readonly EditedFile[] {
  return files.filter(({ before, after }) => (before ?? "") !== after);
}

/** A server that was not written, and why. */
export function refused(name: string, path: string | null, error: ErrorInfo): EditedServer {
  return { name, done: "refused", path, error, warnings: [] };
}
