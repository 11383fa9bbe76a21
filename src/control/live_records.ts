import { lstat, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import type { HotplugFolders } from "../model/machine.ts";
import { isSocketPathOf } from "../platform/local_socket_path.ts";
import { ownIdentity, processExists } from "../platform/process_identity.ts";
import { isSameStart, processStarts } from "../platform/process_starts.ts";
import type { Processes } from "../platform/recorded_orphans.ts";
import { sessionFolder } from "../platform/session_folder.ts";
import { idOfRecord, type LiveRecord, parseRecord } from "./live_record.ts";

/** A record of a session that may live. */
export interface FoundRecord {
  /** Path of its file. */
  readonly file: string;
  /** What it tells. */
  readonly record: LiveRecord;
  /** Whether its process surely runs; not so for one of another machine or container. */
  readonly isSure: boolean;
}

/** Milliseconds by which a start may be told differently: the record is written some time later. */
const TOLERANCE_MS = 60_000;

/** Days after which what nobody can judge is removed: another machine's record, an unreadable one. */
const FOREIGN_DAYS = 30;

/**
 * The records of all sessions of this user that may live, the oldest first. Those of processes that
 * have ended are removed together with their sockets. Nothing is asked of any session.
 *
 * @param processes Default: those of this machine.
 */
export async function readLiveRecords(
  folders: HotplugFolders,
  processes: Pick<Processes, "space" | "exists" | "starts"> = SYSTEM,
): Promise<readonly FoundRecord[]> {
  const found = await readAll(sessionFolder(folders), processes.space);
  const near = found.filter(({ record }) => record.process.space === processes.space);
  const pids = new Set(near.map(({ record }) => record.process.pid));
  const existing = new Set([...pids].filter(processes.exists));
  const starts = await processes.starts([...existing]);
  const hasEnded = ({ record: { process } }: ReadRecord): boolean => {
    if (process.space !== processes.space) return false;
    if (!existing.has(process.pid)) return true;
    const start = starts.get(process.pid);
    return start !== undefined && !isSameStart(process.started, start, TOLERANCE_MS);
  };
  await Promise.all(found.filter(hasEnded).map(removeTraces));
  return found.filter((one) => !hasEnded(one))
    .map((one) => ({ ...one, isSure: near.includes(one) }))
    .toSorted(({ record: { session: a } }, { record: { session: b } }) =>
      a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
    );
}

const SYSTEM = { space: ownIdentity().space, exists: processExists, starts: processStarts };

/** A file, and the record that it holds. */
type ReadRecord = Pick<FoundRecord, "file" | "record">;

async function readAll(folder: string, space: string): Promise<readonly ReadRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const read = await Promise.all(names.map(async (name): Promise<ReadRecord | null> => {
    const file = join(folder, name);
    const id = idOfRecord(name);
    const text = id === null ? "" : await readFile(file, "utf8").catch(() => "");
    const record = id === null ? null : parseRecord(text, id);
    if (record === null || record.process.space !== space) await removeOld(file);
    return record === null ? null : { file, record };
  }));
  return read.filter((one) => one !== null);
}

/** Removes what a session left whose process was killed. */
async function removeTraces({ file, record }: ReadRecord): Promise<void> {
  const { socket, session } = record;
  // Nothing but its own socket: what stands in a file must not remove others.
  const isSocket = isSocketPathOf(socket, session.id) &&
    await lstat(socket).then((facts) => facts.isSocket(), () => false);
  if (isSocket) await rm(socket, { force: true }).catch(() => {});
  await rm(file, { force: true }).catch(() => {});
}

async function removeOld(file: string): Promise<void> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > FOREIGN_DAYS * 86_400_000) {
    await rm(file, { force: true }).catch(() => {});
  }
}
