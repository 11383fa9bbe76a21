import { HotplugError } from "../model/errors.ts";
import type { HotplugFolders } from "../model/machine.ts";
import type { LogLine } from "../model/server_log.ts";
import type { RefreshReport, ReloadRequest, SteeredSession } from "../model/session_view.ts";
import type { Tool } from "../model/tool.ts";
import type { ControlRequest, SteerMethod } from "./control_messages.ts";

/** A session as the control socket serves it. */
export type ControlledSession = SteeredSession & {
  /** Its tools now. */
  readonly tools: readonly Pick<Tool, "name" | "description" | "server" | "info">[];
};

/** One tool of a live session. */
export interface SessionTool {
  /** What a model calls it by. */
  readonly name: string;
  /** Name of its server. */
  readonly server: string;
  /** The server's own name of it. */
  readonly tool: string;
  /** Its description, for a model. */
  readonly description: string;
}

/** What the methods work on. */
export interface MethodContext {
  /** The session. */
  readonly session: ControlledSession;
  /** Where its servers' logs are. */
  readonly folders: HotplugFolders;
  /** Fires when the session ends. */
  readonly signal: AbortSignal;
}

/** Most lines of logs that one answer holds: the last ones. */
const MOST_LOG_LINES = 1_000;

/** Most servers that one reload names. */
const MOST_SERVERS = 1_000;

const STEERING: readonly string[] = ["reload", "pause", "resume", "retry"] satisfies SteerMethod[];

/** Whether a request changes the session. */
export function isSteering({ method }: ControlRequest): boolean {
  return STEERING.includes(method);
}

/**
 * Does what a request asks for.
 * @throws {HotplugError} `bad-arguments` for wrong params, `usage` for an unknown method, and
 * whatever the session says.
 */
export async function runMethod(
  { method, params }: ControlRequest,
  context: MethodContext,
): Promise<unknown> {
  const { session, signal } = context;
  switch (method) {
    case "status":
      return session.status();
    case "tools":
      return session.tools.map(({ name, server, info, description }): SessionTool => (
        { name, server, tool: info.name, description }
      ));
    case "logs":
      return await ownLogs(context, params["server"]);
    case "reload":
      return await session.reload(reloadRequest(params), { signal });
    case "pause":
    case "resume":
    case "retry":
      return await steer(session, method, params, signal);
    default:
      throw new HotplugError("usage", `Cannot do "${method}": a session has no such method`);
  }
}

function steer(
  session: SteeredSession,
  method: Exclude<SteerMethod, "reload">,
  params: ControlRequest["params"],
  signal: AbortSignal,
): Promise<RefreshReport> {
  const { server } = params;
  if (typeof server !== "string") throw badParams(method, '"server" is no text');
  return session[method](server, { signal });
}

function reloadRequest({ servers, restart }: ControlRequest["params"]): ReloadRequest {
  const isList = servers === undefined ||
    (Array.isArray(servers) && servers.length <= MOST_SERVERS &&
      servers.every((name) => typeof name === "string"));
  if (!isList) throw badParams("reload", '"servers" is no list of names');
  if (restart !== undefined && typeof restart !== "boolean") {
    throw badParams("reload", '"restart" is neither true nor false');
  }
  return {
    ...(servers === undefined ? {} : { servers: servers as readonly string[] }),
    ...(restart === undefined ? {} : { restart }),
  };
}

/** What the session's servers wrote, and when they started and ended; the last lines. */
async function ownLogs(
  { session, folders }: MethodContext,
  server: unknown,
): Promise<readonly LogLine[]> {
  const [{ LogReader }, { logFolder }] = await Promise.all([
    import("../platform/log_reader.ts"),
    import("../platform/log_folder.ts"),
  ]);
  const { pid, workspacePath } = session.info;
  const lines = await new LogReader(logFolder(folders), workspacePath).next();
  return lines.filter((line) =>
    line.pid === pid && (typeof server !== "string" || line.server === server)
  ).slice(-MOST_LOG_LINES);
}

function badParams(method: string, why: string): HotplugError {
  return new HotplugError("bad-arguments", `Cannot ${method}: ${why}`);
}
