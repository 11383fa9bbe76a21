import type { HostFormat } from "./host_format.ts";
import type { Source, SourceContext } from "./source.ts";

/** A file into which an entry can be written. */
export interface WritableFile {
  /** Absolute path, there or not. */
  readonly path: string;
  /** Where its servers stand; absent: where the format says. */
  readonly key?: readonly string[];
  /** What of the format is different in this file. */
  readonly format?: Partial<HostFormat>;
}

/** How a source's files are written. */
export interface SourceWriter {
  /** How its entries are written. */
  readonly format: HostFormat;
  /** The file in which a new entry of a scope is put; `null`: the source has none for it. */
  fileFor(context: SourceContext, scope: "user" | "project"): WritableFile | null;
}

/** A source whose files can be written, too. */
export interface HostSource extends Source {
  /** How its files are written. Absent: they are never changed. */
  readonly writer?: SourceWriter;
}
