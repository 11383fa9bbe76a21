import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { endedWithin } from "./ended_within.ts";
import { type GroupSignal, signalGroup } from "./process_group.ts";
import { ownIdentity, processExists } from "./process_identity.ts";
import { isSameStart, processStarts } from "./process_starts.ts";
import { parseRecord, RECORD_SUFFIX, type RecordedRun, type RecordedServer } from "./run_record.ts";

/** The processes of a machine, as {@linkcode endRecorded} sees them; by default the real ones. */
export interface Processes {
  /** Where their ids count. */
  readonly space: string;
  /** Whether an id belongs to a process, or a negative number to a process group. */
  readonly exists: (pid: number) => boolean;
  /** When processes started, see `processStarts()`. */
  readonly starts: (pids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** Sends a signal to the group of a process. */
  readonly signal: (pid: number, name: GroupSignal) => void;
}

/** How {@linkcode endRecorded} ends what it finds. */
export interface EndRecordedOptions {
  /** Most milliseconds between SIGTERM and SIGKILL. Default 1,000. */
  readonly graceMs?: number;
  /** The processes. */
  readonly processes?: Processes;
}

/**
 * Milliseconds by which a start may be told differently. To be spared needs little likeness, to be
 * ended much: a host was there some time before it wrote its record, a server was just started.
 */
const TOLERANCE_MS = { host: 60_000, server: 2_000 };

/** Days after which the record of another machine or container, or an unreadable one, is removed. */
const FOREIGN_DAYS = 30;

/** A file, and the record that it holds, if it holds one. */
interface RecordFile {
  readonly file: string;
  readonly record: RecordedRun | null;
}

/**
 * Ends the servers that hosts recorded which have ended without ending them: SIGTERM to the group,
 * and SIGKILL after the grace. It needs no look into other processes, so it works where their
 * environment cannot be read. An id that belongs to another process by now, as its start tells, is
 * left alone; so is one whose start the system does not tell. Records of hosts that are gone are
 * removed.
 *
 * @param folder Where the records lie; it need not exist.
 * @returns How many servers there were.
 */
export async function endRecorded(
  folder: string,
  options: EndRecordedOptions = {},
): Promise<number> {
  const { graceMs = 1_000, processes = SYSTEM } = options;
  const found = await readRecords(folder);
  const near = found.flatMap(({ file, record }) =>
    record?.host.space === processes.space ? [{ ...record, file }] : []
  );
  const pids = near.flatMap(({ host, servers }) => [host, ...servers].map(({ pid }) => pid));
  const existing = [...new Set(pids)].filter(processes.exists);
  const starts = await processes.starts(existing);
  const lost = near.filter(({ host }) => hasEnded(host, existing, starts));
  const orphans = lost.flatMap(({ servers }) => servers)
    .filter((server) => isStill(server, starts));
  await end(orphans, graceMs, processes);
  const unsure = (server: RecordedServer): boolean =>
    existing.includes(server.pid) && !starts.has(server.pid);
  const done = lost.filter(({ servers }) => !servers.some(unsure));
  const foreign = found.filter(({ record }) => record?.host.space !== processes.space);
  await Promise.all([
    ...done.map(({ file }) => rm(file, { force: true })),
    ...foreign.map(({ file }) => removeOld(file)),
  ]);
  return orphans.length;
}

const SYSTEM: Processes = {
  space: ownIdentity().space,
  exists: processExists,
  starts: processStarts,
  signal: signalGroup,
};

async function end(
  orphans: readonly RecordedServer[],
  graceMs: number,
  { exists, starts, signal }: Processes,
): Promise<void> {
  if (orphans.length === 0) return;
  for (const { pid } of orphans) signal(pid, "SIGTERM");
  const runs = ({ pid }: RecordedServer): boolean => exists(-pid) || exists(pid);
  if (await endedWithin(graceMs, () => orphans.some(runs))) return;
  const left = orphans.filter(runs);
  const now = await starts(left.map(({ pid }) => pid));
  for (const server of left) {
    // Without its first process it is the same group all the same: nobody gets an id that one has.
    if (isStill(server, now) || !exists(server.pid)) signal(server.pid, "SIGKILL");
  }
}

/** Whether a host has surely ended: no process has its id, or one that started at another time. */
function hasEnded(
  host: RecordedServer,
  existing: readonly number[],
  starts: ReadonlyMap<number, string>,
): boolean {
  if (!existing.includes(host.pid)) return true;
  const start = starts.get(host.pid);
  return start !== undefined && !isSameStart(host.started, start, TOLERANCE_MS.host);
}

function isStill(server: RecordedServer, starts: ReadonlyMap<number, string>): boolean {
  const start = starts.get(server.pid);
  return start !== undefined && isSameStart(server.started, start, TOLERANCE_MS.server);
}

async function readRecords(folder: string): Promise<readonly RecordFile[]> {
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(names.map(async (name): Promise<RecordFile> => {
    const file = join(folder, name);
    // One that is just being written is not yet named as the others.
    const text = name.endsWith(RECORD_SUFFIX) ? await readFile(file, "utf8").catch(() => "") : "";
    return { file, record: parseRecord(text) };
  }));
}

async function removeOld(file: string): Promise<void> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > FOREIGN_DAYS * 86_400_000) await rm(file, { force: true });
}
