import { chmod, rm } from "node:fs/promises";

import { HotplugError, throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { errnoText } from "../platform/errno.ts";
import { localSocketPath } from "../platform/local_socket_path.ts";
import { writePrivateFile } from "../platform/private_file.ts";
import { ownIdentity } from "../platform/process_identity.ts";
import { ownStart } from "../platform/process_starts.ts";
import { ControlServer } from "./control_server.ts";
import { removeAtExit } from "./exit_removal.ts";
import { recordFile, recordText } from "./live_record.ts";
import type { ControlLimits } from "./served_client.ts";
import type { ControlledSession } from "./session_methods.ts";

/** What {@linkcode startControl} takes. */
export interface ControlOptions {
  /** The session that others may steer. */
  readonly session: ControlledSession;
  /** Where its record and its socket lie. */
  readonly folders: HotplugFolders;
  /** The machine. */
  readonly machine: Machine;
  /** Learns that there is no control socket, and why. */
  readonly log: Logger;
  /** Milliseconds that the slowest server of the session may take to start. Default 30,000. */
  readonly slowestMs?: () => number;
  /** What changes the session waits for this. Default: nothing. Must not reject. */
  readonly ready?: Promise<void>;
  /** What clients are given, where it differs from what is usual. */
  readonly limits?: Partial<ControlLimits>;
  /** Gives up; what was begun is undone. */
  readonly signal?: AbortSignal;
}

/** A control socket. */
export interface Control {
  /** Path of the socket; `null` when there is none. */
  readonly socket: string | null;
  /** Removes record and socket, and ends what is under way. Bounded, idempotent, never rejects. */
  close(): Promise<void>;
}

/** What a server gets when its definition does not say. */
const USUAL_START_MS = 30_000;

const LIMITS: ControlLimits = {
  clients: 64,
  tokenMs: 5_000,
  idleMs: 60_000,
  longest: 65_536,
  pending: 8,
  unread: 16 * 1024 * 1024,
};

/**
 * Lets the command line find and steer a session: a record in the state folder tells of it, and a
 * socket that only its user can reach serves it. Never rejects: where there can be no socket, the
 * session lives on without, and the log says so once.
 */
export async function startControl(options: ControlOptions): Promise<Control> {
  try {
    return await open(options);
  } catch (thrown) {
    if (options.signal?.aborted !== true) {
      const { message } = toHotplugError(thrown);
      options.log.log("warn", "Cannot be reached by mcp reload: no control socket", {
        error: message,
      });
    }
    return { socket: null, close: () => Promise.resolve() };
  }
}

async function open(options: ControlOptions): Promise<Control> {
  const { session, folders, machine, signal, limits, ready = Promise.resolve() } = options;
  const { id } = session.info;
  throwIfAborted(signal);
  const socket = await localSocketPath(id, { machine, folders });
  const token = newToken();
  const server = new ControlServer({
    session,
    folders,
    token,
    slowestMs: options.slowestMs ?? (() => USUAL_START_MS),
    ready,
    limits: { ...LIMITS, ...limits },
  });
  const isFile = machine.platform !== "win32";
  const file = recordFile(folders, id);
  const forget = removeAtExit(isFile ? [file, socket] : [file]);
  const close = once(async () => {
    // First of all nobody must find it any more.
    await rm(file, { force: true }).catch(() => {});
    await server.close();
    if (isFile) await rm(socket, { force: true }).catch(() => {});
    forget();
  });
  try {
    // Before there is a socket: whatever happens from now on, the next reader knows what to remove.
    const process = { ...ownIdentity(), started: ownStart() };
    const record = recordText({ session: session.info, socket, token, process });
    await writePrivateFile(file, record, { lasting: false });
    await server.listen(socket).catch((cause) => {
      throw new HotplugError("write-failed", `Cannot listen at "${socket}": ${errnoText(cause)}`, {
        cause,
      });
    });
    if (isFile) await chmod(socket, 0o600);
    throwIfAborted(signal);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { socket, close };
}

/** 256 bits, in hexadecimal digits. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => done ??= act();
}
