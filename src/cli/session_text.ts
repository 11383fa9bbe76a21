import type { SessionInfo } from "../model/session_view.ts";
import { shownDuration } from "./duration.ts";
import { shownLine, shownPath } from "./shown.ts";

/** Who owns a session: the host agent, or what kind of program it is. */
export function shownHost({ host, kind }: SessionInfo): string {
  return host === null ? kind : shownLine(host);
}

/**
 * A session in one line: `session k3f9x2ab: claude-code, pid 4711, for 5m03s`.
 * @param home Home folder. Given, the session's workspace is told, too.
 */
export function sessionLine(info: SessionInfo, now: number, home?: string): string {
  const { id, pid, startedAt, workspacePath } = info;
  const where = home === undefined ? "" : `, ${shownPath(workspacePath, "", home)}`;
  const age = shownDuration(now - startedAt);
  return `session ${shownLine(id)}: ${shownHost(info)}, pid ${pid}, for ${age}${where}`;
}
