import process from "node:process";
import { newSessionId } from "../control/session_id.ts";
import { abortedError } from "../model/abort.ts";
import { isAbortError, throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { SessionInfo } from "../model/session_view.ts";
import { VERSION } from "../model/version.ts";
import { findWorkspace } from "../platform/workspace.ts";
import { acpSource } from "../sources/acp.ts";
import { resolve } from "node:path";
import type { Control } from "../control/start_control.ts";
import { startupTimeout } from "../definitions/timeouts.ts";
import { type Assembly, assembly } from "./assembly.ts";
import { chainRule, childChain, newChain } from "./gateway_chain.ts";
import type { ConfigLook } from "./config_reader.ts";
import { LiveSession } from "./live_session.ts";
import type { MCPSession } from "./session.ts";
import type { SessionOptions } from "./session_options.ts";

/**
 * Finds the servers of a workspace, connects to those that may run, and keeps their tools fresh as
 * long as the session lives: the one call of a host that wants its tools to follow `mcp reload`.
 *
 * It returns when the start gate has been passed; servers that are still on their way join by
 * themselves, and `onRefresh` tells. A failing server or discovery costs only its own tools, and
 * `status()` says why.
 *
 * @throws {HotplugError} `aborted`, when `options.signal` fired. Everything is closed then.
 *
 * @example
 * ```ts
 * import { createSession } from "@hotplug/mcp";
 *
 * await using session = await createSession({
 *   onRefresh: ({ tools }, { added, removed }) => console.log(tools.length, added, removed),
 * });
 * console.log(session.tools.map(({ name }) => name));
 * ```
 */
export async function createSession(options: SessionOptions = {}): Promise<MCPSession> {
  const { signal } = options;
  throwIfAborted(signal);
  const { cwd, ...rest } = withChain(withClient(options), () => info.workspacePath);
  const parts = assembly(cwd, rest);
  const { machine, log } = parts;
  const info: SessionInfo = {
    id: newSessionId(),
    pid: process.pid,
    workspacePath: findWorkspace(resolve(machine.cwd, cwd ?? ""), machine.home),
    kind: options.kind ?? "library",
    host: options.host ?? null,
    startedAt: parts.clock.now(),
    version: VERSION,
  };
  const session = new LiveSession({ info, options: rest, assembly: parts });
  const began = Promise.withResolvers<void>();
  const control = options.control === false ? null : openControl(session, parts, began.promise);
  try {
    const look = options.enableMCP === false ? null : await firstLook(parts, signal);
    const companions = control === null ? [] : [{ close: async () => (await control).close() }];
    await session.begin(look, companions, signal);
    began.resolve();
    await control;
    return session;
  } catch (thrown) {
    await Promise.all([session.close(), control?.then((opened) => opened.close())]);
    throw signal?.aborted === true ? abortedError(signal) : thrown;
  }

  async function firstLook(
    { reader }: typeof parts,
    asked: AbortSignal | undefined,
  ): Promise<ConfigLook | null> {
    try {
      return await reader.look(asked);
    } catch (thrown) {
      if (isAbortError(thrown)) throw thrown;
      const failure = toHotplugError(thrown, "discovery-failed").toInfo();
      log.log("error", "Cannot discover MCP servers", { error: failure.message });
      session.discoveryFailed(failure);
      return null;
    }
  }
}

/** The socket by which a session is steered; what it is asked for waits until it has begun. */
async function openControl(
  session: LiveSession,
  { folders, machine, log }: Assembly,
  ready: Promise<void>,
): Promise<Control> {
  const { startControl } = await import("../control/start_control.ts");
  const slowestMs = (): number =>
    Math.max(
      ...Object.values(session.configs?.configs ?? {}).map(startupTimeout),
      startupTimeout({}),
    );
  return await startControl({ session, folders, machine, log, slowestMs, ready });
}

/** The options, with the servers of an ACP client as a source, alone or above the local ones. */
function withClient(options: SessionOptions): SessionOptions {
  const { mcpServers, acp = "replace", extraSources = [] } = options;
  if (mcpServers === undefined) return options;
  const client = acpSource(mcpServers);
  return acp === "merge"
    ? { ...options, extraSources: [client, ...extraSources] }
    : { ...options, extraSources: [client], localSources: false };
}

/** The options, with servers left out that would start this session inside itself. */
function withChain(options: SessionOptions, workspacePath: () => string): SessionOptions {
  const env = options.machine?.env ?? process.env;
  const chain = options.chain ?? newChain(env);
  const id = chain.at(-1) ?? "";
  const inChain = chainRule(env);
  return {
    ...options,
    chain,
    leaveOut: (server) => inChain(server.launch) ?? options.leaveOut?.(server) ?? null,
    childEnvironment: (config) => ({
      ...options.childEnvironment?.(config),
      ...childChain(env, { id, workspacePath: workspacePath() })(config),
    }),
  };
}
