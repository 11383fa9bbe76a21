import { abortedError } from "../model/abort.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { HotplugError, toHotplugError } from "../model/errors.ts";
import { isContainerClient } from "../platform/container_client.ts";
import { endGroup } from "../platform/end_group.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { newMark } from "../platform/live_groups.ts";
import { type ProcessGroup, spawnGroup } from "../platform/process_group.ts";
import { factsOf } from "../platform/local_files.ts";
import { resolveProgram } from "../platform/program.ts";
import { recordsFolder } from "../platform/run_record.ts";
import { handshakeOptions } from "./attempt.ts";
import type { ConnectContext } from "./connect_options.ts";
import { missingFolder, programNotFound, serverExited, startTimeout } from "./error_of.ts";
import { shakeHandsOverStdio } from "./handshake.ts";
import { loadSdk } from "./sdk.ts";
import type { Link } from "./link.ts";
import { ServerConnection } from "./server_connection.ts";
import { StdioTransport } from "./stdio_transport.ts";
import { settledWithin } from "./timers.ts";

/** Milliseconds that a broken pipe waits for the exit to be told: its transport takes 750 at most. */
const EXIT_NOTICE_MS = 1_000;

/** Milliseconds between SIGTERM and SIGKILL for the client of a container, which has to stop. */
const CONTAINER_TERM_MS = 5_000;

/** Starts a stdio server and shakes hands with it. The process is ended when that fails. */
export async function connectStdio(context: ConnectContext): Promise<MCPServerConnection> {
  const { name, config, mask, log, clock } = context;
  const mark = newMark();
  const group = await startProcess(context, mark);
  const graces = isContainerClient(config.command ?? "")
    ? { termGraceMs: CONTAINER_TERM_MS }
    : undefined;
  const transport = new StdioTransport({
    name,
    group,
    mask,
    onStderr: (line, level) => {
      log.log(level, line, { server: name, stream: "stderr" });
      context.onStderr?.(line);
    },
  });
  const facts = { name, config, mask };
  const endError = (during: "handshake" | "run"): HotplugError => {
    const end = transport.endState;
    if (end?.error !== null && end?.error !== undefined) return end.error;
    if (end !== null && end.exit !== null) {
      return serverExited(facts, end.exit, transport.stderrTail(), during);
    }
    return new HotplugError("connection-closed", `Lost "${name}": it closed its stdout`, {
      stderr: transport.stderrTail(),
      details: { delivered: "unknown" },
    });
  };
  let link: Link | null = null;
  try {
    link = await handshake(context, transport, () => endError(link === null ? "handshake" : "run"));
    if (clock.signal.aborted) throw new Error("Too late");
  } catch (thrown) {
    // A broken pipe is noticed before the exit that broke it.
    if (thrown instanceof HotplugError && thrown.code === "connection-closed") {
      await settledWithin(transport.ended, EXIT_NOTICE_MS);
    }
    const noise = transport.noise.warning();
    const error = clock.outcome === "timeout"
      ? startTimeout(facts, context.timeout, transport.stderrTail(), noise)
      : clock.outcome === "aborted"
      ? abortedError(context.signal)
      : transport.endState !== null
      ? endError("handshake")
      : withStderr(toHotplugError(thrown, "handshake-failed"), transport.stderrTail());
    await link?.close();
    await transport.close();
    await endGroup(group, mark, graces);
    throw error;
  }
  return new ServerConnection({
    context,
    link,
    pid: group.pid,
    isEnding: () => transport.isEnding,
    renew: null,
    end: async () => {
      await transport.close();
      await endGroup(group, mark, graces);
    },
    warnings: () => {
      const noise = transport.noise.warning();
      return noise === null ? [] : [noise];
    },
  });
}

/** The process, before the SDK is loaded: it starts while we do. */
async function startProcess(context: ConnectContext, mark: string): Promise<ProcessGroup> {
  const { name, config, machine, environment, mask } = context;
  const cwd = config.cwd ?? machine.home;
  // First, since a missing folder would be blamed on the program.
  if (factsOf(cwd)?.isDirectory() !== true) throw missingFolder(name, cwd);
  const command = config.command ?? "";
  const search = resolveProgram(command, { machine, env: environment, cwd });
  if (search.path === null) throw programNotFound({ name, config, mask }, search);
  if (context.clock.outcome === "aborted") throw abortedError(context.signal);
  const { path: program } = search;
  const { records = recordsFolder(hotplugFolders(machine)) } = context;
  return await spawnGroup({
    program,
    args: config.args ?? [],
    cwd,
    env: environment,
    mark,
    records,
    // Killed, it would leave the container behind.
    lastSignal: isContainerClient(program) ? "SIGTERM" : "SIGKILL",
  });
}

/** The handshake, or why the process ended before it was done. */
async function handshake(
  context: ConnectContext,
  transport: StdioTransport,
  closeError: () => HotplugError,
): Promise<Link> {
  const { clock } = context;
  clock.signal.throwIfAborted();
  const ended = transport.ended.then(() => {
    throw closeError();
  });
  const timeUp = new Promise<never>((_, reject) => {
    clock.signal.addEventListener("abort", () => reject(clock.signal.reason), { once: true });
  });
  const early = Promise.race([ended, timeUp]);
  early.catch(() => {});
  const sdk = await Promise.race([loadSdk(), early]);
  const shaking = shakeHandsOverStdio(sdk, transport, transport.pid, {
    ...handshakeOptions(context, clock),
    sendError: (thrown) => toHotplugError(thrown, "connection-closed"),
    closeError,
  });
  return await Promise.race([shaking, early]);
}

/** An error with the end of stderr, where it has none of its own. */
function withStderr(error: HotplugError, stderr: string): HotplugError {
  if (stderr === "" || error.stderr !== "" || error.code === "aborted") return error;
  return new HotplugError(error.code, error.message, {
    hint: error.hint,
    cause: error.cause,
    stderr,
    details: error.details,
  });
}
