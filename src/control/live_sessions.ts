import { HotplugError } from "../model/errors.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import type { LogLine } from "../model/server_log.ts";
import type {
  RefreshReport,
  ReloadRequest,
  SessionInfo,
  SessionStatus,
} from "../model/session_view.ts";
import { realPathOf } from "../platform/local_files.ts";
import { controlCall, type ControlCallOptions } from "./control_call.ts";
import type { ControlMethod } from "./control_messages.ts";
import { type FoundRecord, readLiveRecords } from "./live_records.ts";
import type { SessionTool } from "./session_methods.ts";

/** Which sessions {@linkcode liveSessions} gives. */
export interface LiveSessionsOptions {
  /** Where their records lie. */
  readonly folders: HotplugFolders;
  /** The machine. */
  readonly machine: Machine;
  /** Root of the workspace whose sessions are meant. Default: those of all workspaces. */
  readonly workspacePath?: string | undefined;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A session of this user that lives, in whichever process. Each method asks it over a connection
 * of its own, so that a hung session holds up nobody who asks others.
 *
 * Each throws a `HotplugError`: `session-silent` when it says nothing in time, `no-session` when it
 * ends meanwhile, `aborted`, and what the session itself says.
 */
export interface LiveSession {
  /** Who it is. */
  readonly info: SessionInfo;
  /** How it stands. */
  status(options?: ControlCallOptions): Promise<SessionStatus>;
  /** Its tools. */
  tools(options?: ControlCallOptions): Promise<readonly SessionTool[]>;
  /** The last lines of its servers' logs, or of one of them. */
  logs(server?: string, options?: ControlCallOptions): Promise<readonly LogLine[]>;
  /** Reads everything anew and lets it take effect. */
  reload(request?: ReloadRequest, options?: ControlCallOptions): Promise<RefreshReport>;
  /** Takes a server's tools away until it is resumed. */
  pause(server: string, options?: ControlCallOptions): Promise<RefreshReport>;
  /** Starts a paused server again. */
  resume(server: string, options?: ControlCallOptions): Promise<RefreshReport>;
  /** Sets a server's counters to zero and opens a new connection. */
  retry(server: string, options?: ControlCallOptions): Promise<RefreshReport>;
}

/** Milliseconds that a session of another container or machine has to show that it is here. */
const PROBE_MS = 500;

/**
 * The live sessions of this user, the oldest first. What killed sessions left is removed. One whose
 * process cannot be seen from here, as it runs in another container, is among them when it answers.
 *
 * @throws {HotplugError} `aborted`.
 */
export async function liveSessions(options: LiveSessionsOptions): Promise<readonly LiveSession[]> {
  const { folders, workspacePath, signal } = options;
  const wanted = workspacePath === undefined ? null : realPathOf(workspacePath);
  const found = (await readLiveRecords(folders)).filter(({ record: { session } }) =>
    wanted === null || session.workspacePath === workspacePath ||
    realPathOf(session.workspacePath) === wanted
  );
  const sessions = await Promise.all(found.map(async (one) => {
    const session = new RecordedSession(one);
    return one.isSure || await answers(session, signal) ? session : null;
  }));
  return sessions.filter((session) => session !== null);
}

async function answers(session: LiveSession, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await session.status({ signal, patienceMs: PROBE_MS });
    return true;
  } catch (thrown) {
    if (thrown instanceof HotplugError && thrown.code === "aborted") throw thrown;
    return false;
  }
}

/** A session behind a record. */
class RecordedSession implements LiveSession {
  readonly info: SessionInfo;
  readonly #found: FoundRecord;

  constructor(found: FoundRecord) {
    this.info = found.record.session;
    this.#found = found;
  }

  async status(options?: ControlCallOptions): Promise<SessionStatus> {
    return await this.#ask("status", {}, options) as SessionStatus;
  }

  async tools(options?: ControlCallOptions): Promise<readonly SessionTool[]> {
    return await this.#ask("tools", {}, options) as readonly SessionTool[];
  }

  async logs(server?: string, options?: ControlCallOptions): Promise<readonly LogLine[]> {
    const params = server === undefined ? {} : { server };
    return await this.#ask("logs", params, options) as readonly LogLine[];
  }

  async reload(
    request: ReloadRequest = {},
    options?: ControlCallOptions,
  ): Promise<RefreshReport> {
    return await this.#ask("reload", { ...request }, options) as RefreshReport;
  }

  async pause(server: string, options?: ControlCallOptions): Promise<RefreshReport> {
    return await this.#ask("pause", { server }, options) as RefreshReport;
  }

  async resume(server: string, options?: ControlCallOptions): Promise<RefreshReport> {
    return await this.#ask("resume", { server }, options) as RefreshReport;
  }

  async retry(server: string, options?: ControlCallOptions): Promise<RefreshReport> {
    return await this.#ask("retry", { server }, options) as RefreshReport;
  }

  async #ask(
    method: ControlMethod,
    params: Readonly<Record<string, unknown>>,
    options?: ControlCallOptions,
  ): Promise<unknown> {
    return await controlCall(this.#found, method, params, options);
  }
}
