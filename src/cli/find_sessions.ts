import type { LiveSession } from "../control/live_sessions.ts";
import { HotplugError } from "../model/errors.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { namesIn } from "../platform/local_files.ts";
import { sessionFolder } from "../platform/session_folder.ts";

/** Which live sessions are meant. */
export interface SessionChoice {
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Root of the workspace; absent: all workspaces. */
  readonly workspacePath?: string | undefined;
  /** Id of the one session that is meant, of whichever workspace, or how it begins. */
  readonly id?: string | undefined;
  /** Gives up. */
  readonly signal: AbortSignal;
}

/**
 * The live sessions that are meant, the oldest first. Where there is none, that costs one look at
 * a folder.
 * @throws {HotplugError} `no-session` for an id that none has; `usage` for one that is not whole and
 * begins several.
 */
export async function findSessions(choice: SessionChoice): Promise<readonly LiveSession[]> {
  const { machine, folders, workspacePath, id, signal } = choice;
  const all = { machine, folders, signal };
  if (namesIn(sessionFolder(folders)).length === 0) return id === undefined ? [] : chosen([], id);
  const { liveSessions } = await import("../control/live_sessions.ts");
  if (id === undefined) return await liveSessions({ ...all, workspacePath });
  return chosen(await liveSessions(all), id);
}

function chosen(sessions: readonly LiveSession[], id: string): readonly LiveSession[] {
  const whole = sessions.filter(({ info }) => info.id === id);
  const found = whole.length > 0 ? whole : sessions.filter(({ info }) => info.id.startsWith(id));
  if (found.length === 1) return found;
  const ids = (found.length > 1 ? found : sessions).map(({ info }) => info.id).join(", ");
  if (found.length > 1) {
    throw new HotplugError("usage", `Cannot tell which session "${id}" is: several begin so`, {
      hint: `Name one: ${ids}`,
    });
  }
  throw new HotplugError("no-session", `Cannot find session "${id}": it is not live`, {
    hint: ids === "" ? "No session is live" : `Live: ${ids}`,
  });
}
