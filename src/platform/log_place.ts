import { createHash } from "node:crypto";
import type { LoggedServer } from "../model/server_log.ts";

/** Bytes that a log may grow to before a new file is begun: 1 MiB. */
export const MAX_LOG_BYTES: number = 1024 * 1024;

/** How many older files are kept beside the current one: 2, so a log takes at most 3 MiB. */
export const OLDER_LOGS = 2;

/**
 * Name of the current file of a server's log. The name of a server is any text, so only what is
 * harmless of it stands there, for humans; hashes of the workspace and of the name say which it is.
 */
export function logFileName({ server, workspace }: LoggedServer): string {
  const readable = server.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 32)
    .replace(/^-|-$/g, "");
  return `${readable || "server"}.${workspaceMark(workspace)}.${mark(server, 16)}.jsonl`;
}

/** Which server's log a file is part of; `null` for a file that is none. */
export interface LogFile {
  /** Name of the log's current file. */
  readonly current: string;
  /** Age: 0 is the current file, then 1, 2 and so on. */
  readonly age: number;
}

/** Reads the name of a file in the folder of logs; `null` when it is no log of the workspace. */
export function readLogFileName(name: string, workspace: string): LogFile | null {
  const match = /^([a-z0-9-]+\.([0-9a-f]{12})\.[0-9a-f]{16}\.jsonl)(?:\.([1-9]))?$/.exec(name);
  const [, current, owner, age] = match ?? [];
  if (current === undefined || owner !== workspaceMark(workspace)) return null;
  return { current, age: Number(age ?? 0) };
}

/** The files of a log, the newest first, there or not. */
export function logFiles(current: string): readonly string[] {
  const older = Array.from({ length: OLDER_LOGS }, (_, index) => `${current}.${index + 1}`);
  return [current, ...older];
}

/** Whether a new file is begun before so many bytes are added to one of `size` bytes. */
export function isRotationDue(size: number, added: number): boolean {
  return size > 0 && size + added > MAX_LOG_BYTES;
}

function workspaceMark(workspace: string): string {
  return mark(workspace, 12);
}

function mark(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
