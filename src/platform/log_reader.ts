import { constants, type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";

import type { LogLine } from "../model/server_log.ts";
import { errnoOf } from "./errno.ts";
import { parseLine } from "./log_line.ts";
import { logFiles, readLogFileName } from "./log_place.ts";

/** Bytes of one file that are read at one time; far more than a log has. */
const MOST_BYTES = 16 * 1024 * 1024;

/** What the system says of a file that is not there, and of a link. */
const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ELOOP"]);

/** The file that was read last, and up to where. */
interface Place {
  readonly inode: number;
  readonly offset: number;
}

/**
 * Reads the logs of a workspace: at first all that is there, then what has been added since, also
 * when a new file was begun meanwhile.
 */
export class LogReader {
  readonly #folder: string;
  readonly #workspace: string;
  /** By name of the current file. */
  readonly #places = new Map<string, Place>();

  /** A reader of the logs in a folder; it need not exist. */
  constructor(folder: string, workspace: string) {
    this.#folder = folder;
    this.#workspace = workspace;
  }

  /**
   * Lines that were not given yet, in order of time; those of one moment stay as they were written.
   * @throws What the system says of a folder or file that is there and cannot be read.
   */
  async next(): Promise<readonly LogLine[]> {
    const lines: LogLine[] = [];
    for (const name of await this.#logs()) {
      for (const line of await this.#added(name)) {
        // Two names may have one hash in theory, and anybody can put a file there.
        if (line.workspace === this.#workspace) lines.push(line);
      }
    }
    return inOrder(lines);
  }

  /** Names of the current files of the workspace's logs. */
  async #logs(): Promise<readonly string[]> {
    let names: readonly string[];
    try {
      names = await readdir(this.#folder);
    } catch (thrown) {
      if (errnoOf(thrown) === "ENOENT") return [];
      throw thrown;
    }
    const found = names.flatMap((name) => readLogFileName(name, this.#workspace)?.current ?? []);
    return [...new Set(found)].sort();
  }

  /** What was added to one log. */
  async #added(name: string): Promise<readonly LogLine[]> {
    const files = await openAll(logFiles(join(this.#folder, name)));
    try {
      const place = this.#places.get(name) ?? null;
      // A file that was not seen is newer than all that were: nothing older appears.
      const seen = files.findIndex(({ inode }) => inode === place?.inode);
      const unread = seen === -1 ? files : files.slice(0, seen + 1);
      const lines: LogLine[] = [];
      for (const { file, inode } of unread.toReversed()) {
        const offset = inode === place?.inode ? place.offset : 0;
        const { text, end } = await readFrom(file, offset);
        lines.push(...text.split("\n").flatMap((line) => parseLine(line) ?? []));
        this.#places.set(name, { inode, offset: end });
      }
      return lines;
    } finally {
      await Promise.all(files.map(({ file }) => file.close()));
    }
  }
}

/** Lines in order of their time. */
export function inOrder(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
}

/**
 * The files of a log that are there, the newest first. In that order a file that is moved meanwhile
 * is met again, and counts once, where in the other it would be missed.
 */
async function openAll(
  paths: readonly string[],
): Promise<readonly { readonly file: FileHandle; readonly inode: number }[]> {
  const files: { readonly file: FileHandle; readonly inode: number }[] = [];
  for (const path of paths) {
    try {
      const file = await open(
        path,
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
      );
      const facts = await file.stat();
      if (facts.isFile() && !files.some(({ inode }) => inode === facts.ino)) {
        files.push({ file, inode: facts.ino });
      } else await file.close();
    } catch (thrown) {
      // A link is none of ours: logs are never written through one.
      if (NOT_THERE.has(errnoOf(thrown) ?? "")) continue;
      await Promise.all(files.map(({ file }) => file.close()));
      throw thrown;
    }
  }
  return files;
}

/** The whole lines of a file from an offset on, and where they end. */
async function readFrom(
  file: FileHandle,
  offset: number,
): Promise<{ readonly text: string; readonly end: number }> {
  const { size } = await file.stat();
  // Somebody has emptied it.
  const start = size < offset ? 0 : offset;
  const bytes = new Uint8Array(Math.min(size - start, MOST_BYTES));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, whole)), end: start + whole };
}
