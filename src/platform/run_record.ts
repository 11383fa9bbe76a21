import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import type { HotplugFolders } from "../model/machine.ts";
import { ownIdentity, type ProcessIdentity } from "./process_identity.ts";
import { ownStart, startOfNew } from "./process_starts.ts";

/** A process that was started, by its id and start. */
export interface RecordedServer {
  /** Its process id, which is that of its group. */
  readonly pid: number;
  /** When it started. */
  readonly started: string;
}

/** What one process has started and not ended. */
export interface RecordedRun {
  /** The process. */
  readonly host: ProcessIdentity;
  /** What it started; some may have ended. */
  readonly servers: readonly RecordedServer[];
}

/** How a record's file is named at its end. */
export const RECORD_SUFFIX = ".jsonl";

/** Lines of servers that are gone at which the file is written anew. */
const MOST_STALE = 200;

/** Where records lie. */
export function recordsFolder(folders: HotplugFolders): string {
  return join(folders.state, "processes");
}

/**
 * The file that tells which servers this process runs: a line of JSON for it and one for each, so
 * that the next start can end them when this process is killed. It is there only while some run.
 * Nothing here throws or waits: the first line takes half a millisecond, each other one a tenth, and a folder that
 * cannot be written keeps no server from starting.
 */
export class RunRecord {
  readonly #folder: string;
  readonly #file: string;
  readonly #live = new Map<number, string>();
  #lines = 0;

  /** @param copy Tells apart the copies of this module in one process. */
  constructor(folder: string, copy: string) {
    this.#folder = folder;
    this.#file = join(folder, `${process.pid}-${copy}${RECORD_SUFFIX}`);
  }

  /** Adds a process that was started just now. */
  add(pid: number): void {
    const server: RecordedServer = { pid, started: startOfNew(pid) };
    const line = `${JSON.stringify(server)}\n`;
    this.#live.set(pid, line);
    quietly(() => {
      if (this.#lines > 0 && this.#lines - this.#live.size < MOST_STALE) {
        // Deno gives the file this mode, also when it is there: without one it would be 0666.
        appendFileSync(this.#file, line, { mode: 0o600 });
        this.#lines++;
      } else this.#write();
    });
  }

  /** Forgets a process that has ended. */
  remove(pid: number): void {
    if (!this.#live.delete(pid) || this.#live.size > 0) return;
    this.#lines = 0;
    quietly(() => rmSync(this.#file, { force: true }));
  }

  #write(): void {
    const host: ProcessIdentity = { ...ownIdentity(), started: ownStart() };
    const text = [`${JSON.stringify({ host })}\n`, ...this.#live.values()].join("");
    const isNew = this.#lines === 0;
    // What is there must not be lost by half a write.
    const target = isNew ? this.#file : `${this.#file}.tmp`;
    try {
      writeFileSync(target, text, { mode: 0o600 });
    } catch {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(target, text, { mode: 0o600 });
    }
    if (!isNew) renameSync(target, this.#file);
    this.#lines = this.#live.size;
  }
}

/** What a record's text tells; `null` when it is none. A torn last line is left out. */
export function parseRecord(text: string): RecordedRun | null {
  const values = text.split("\n").map(parsedLine);
  const host = values.map((value) => property(value, "host")).find(isIdentity);
  return host === undefined ? null : { host, servers: values.filter(isServer) };
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return isProcess(value, 1) && typeof property(value, "space") === "string";
}

/** A signal to 0 or 1 would go to our own group or to the system's first process. */
function isServer(value: unknown): value is RecordedServer {
  return isProcess(value, 2);
}

function isProcess(value: unknown, lowest: number): boolean {
  const [pid, started] = [property(value, "pid"), property(value, "started")];
  return Number.isSafeInteger(pid) && Number(pid) >= lowest &&
    typeof started === "string" && started !== "";
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // The marks of the processes remain.
  }
}
