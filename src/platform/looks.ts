import type { Stats } from "node:fs";

/** One look at the disk, and what it found. */
export type Look =
  | {
    /** `stat`: what is at a path, links followed; `link`: the link itself. */
    readonly how: "stat" | "link";
    /** The path. */
    readonly path: string;
    /** What is there; `null` when there is nothing or it cannot be told. */
    readonly found: Stats | null;
  }
  | {
    /** Where a path leads without links. */
    readonly how: "real";
    /** The path. */
    readonly path: string;
    /** The path without links; `null` when it cannot be resolved. */
    readonly found: string | null;
  }
  | {
    /** Which names a folder holds. */
    readonly how: "list";
    /** The path. */
    readonly path: string;
    /** The names in order, joined by `/`; `null` when it cannot be listed. */
    readonly found: string | null;
  }
  | {
    /** Whether a file may be run. */
    readonly how: "run";
    /** The path. */
    readonly path: string;
    /** Whether it may. */
    readonly found: boolean;
  };

/** What was looked at while a record was kept. */
export interface LookRecord {
  /** The looks in their order; a path may come more than once. */
  readonly looks: readonly Look[];
  /** Texts that may stand in a path, as an argument may be one, and must not be kept. */
  readonly secrets: readonly string[];
  /** Whether something counted that leaves no trace on the disk, such as what a program printed. */
  readonly unseen: boolean;
}

/** The records that are being kept. */
const records = new Set<{ readonly looks: Look[]; readonly secrets: string[]; unseen: boolean }>();

/** Tells whoever keeps a record of a look at the disk. */
export function noteLook(look: Look): void {
  for (const { looks } of records) looks.push(look);
}

/** Tells whoever keeps a record which texts must not be kept. */
export function noteSecrets(secrets: readonly string[]): void {
  for (const record of records) record.secrets.push(...secrets);
}

/** Tells whoever keeps a record that something counted which no look at the disk can show. */
export function noteUnseen(): void {
  for (const record of records) record.unseen = true;
}

/**
 * Keeps a record of every look at the disk that decides what is known of servers: of configs,
 * approvals, workspaces, programs, cached lists. What others in this process look at meanwhile
 * stands in it, too.
 * @returns Ends the record and gives it.
 */
export function recordLooks(): () => LookRecord {
  const record = { looks: [], secrets: [], unseen: false };
  records.add(record);
  return () => {
    records.delete(record);
    return record;
  };
}
