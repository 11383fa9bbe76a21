import { join } from "node:path";

import type { HotplugFolders } from "../model/machine.ts";
import type { SessionInfo } from "../model/session_view.ts";
import type { ProcessIdentity } from "../platform/process_identity.ts";
import { sessionFolder } from "../platform/session_folder.ts";
import { isSessionId } from "./session_id.ts";

/** What a live session leaves on disk, so that others of its user find it. */
export interface LiveRecord {
  /** Who it is. */
  readonly session: SessionInfo;
  /** Path of its socket. */
  readonly socket: string;
  /** What must be said first over the socket. Secret. */
  readonly token: string;
  /** Its process, so that the record of one that was killed is known for what it is. */
  readonly process: ProcessIdentity;
}

/** How a record's file is named at its end. */
const SUFFIX = ".json";

/** The file of a session's record. */
export function recordFile(folders: HotplugFolders, id: string): string {
  return join(sessionFolder(folders), id + SUFFIX);
}

/** The id of the session whose record is in a file of this name; `null` for another file. */
export function idOfRecord(name: string): string | null {
  const id = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : "";
  return isSessionId(id) ? id : null;
}

/** A record as the text of its file. */
export function recordText({ session, socket, token, process }: LiveRecord): string {
  return `${JSON.stringify({ session, socket, token, process }, null, 2)}\n`;
}

/** What the text of a file tells; `null` when it is no record of the session with this id. */
export function parseRecord(text: string, id: string): LiveRecord | null {
  const value = parsed(text);
  const [session, process] = [property(value, "session"), property(value, "process")];
  const [socket, token] = [property(value, "socket"), property(value, "token")];
  const isWhole = isSession(session) && session.id === id && isProcess(process) &&
    typeof socket === "string" && socket !== "" && typeof token === "string" && token !== "";
  return isWhole ? { session, socket, token, process } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is SessionInfo {
  const host = property(value, "host");
  const kind = property(value, "kind");
  return typeof property(value, "id") === "string" && isPid(property(value, "pid")) &&
    typeof property(value, "workspacePath") === "string" &&
    (kind === "library" || kind === "gateway") &&
    (host === null || typeof host === "string") &&
    Number.isFinite(property(value, "startedAt")) &&
    typeof property(value, "version") === "string";
}

function isProcess(value: unknown): value is ProcessIdentity {
  return isPid(property(value, "pid")) && typeof property(value, "space") === "string" &&
    typeof property(value, "started") === "string";
}

function isPid(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
