import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { Definition } from "../model/definition.ts";
import type { SourceReport, WorkspaceSwitches } from "../model/source.ts";
import type { TextFile } from "../platform/text_file.ts";

/** Reads one text file; see `readTextFile` of platform. One discovery reads a path once. */
export type ReadFile = (
  path: string,
  options?: { readonly ownerUid?: number | null },
) => Promise<TextFile>;

/** What a source is given to read with. */
export interface SourceContext {
  /** The machine: home, environment, current folder. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Absolute path of the workspace root. */
  readonly workspacePath: string;
  /** Reads a file. */
  readonly readFile: ReadFile;
  /**
   * Whether there is surely nothing at a path; saves reading it. Absent: nothing is known without
   * reading.
   */
  readonly isAbsent?: ((path: string) => boolean) | undefined;
  /** Whether every definition needs its line; those with problems get theirs anyway. */
  readonly lines: boolean;
  /**
   * Paths that are some source's user file and therefore nobody's project file. Filled in by
   * `readSources`; absent means none.
   */
  readonly userFiles?: ReadonlySet<string>;
}

/** What a source found. */
export interface SourceReading {
  /** One per entry, valid or not, in the order of the files and of their entries. */
  readonly definitions: readonly Definition[];
  /** One per path that was looked at. */
  readonly reports: readonly SourceReport[];
  /** One per file of switches, there or not. */
  readonly switches: readonly WorkspaceSwitches[];
}

/** A place where servers are declared. */
export interface Source {
  /** Stable name, such as `claude-code`. */
  readonly id: string;
  /** Name for humans, such as `Claude Code`. */
  readonly label: string;
  /** Paths of its user files here, there or not. Pure. Absent: it has none. */
  userFiles?(context: SourceContext): readonly string[];
  /** Reads everything that it declares. A bad file is a report; it throws only for a defect. */
  read(context: SourceContext): Promise<SourceReading>;
}
