import { HotplugError } from "../model/errors.ts";
import type { ListKind } from "../model/listing.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { connectionStatus } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { CliContext } from "./context.ts";
import type { Discovered } from "./discovery.ts";
import type { TraceOutput } from "./trace_output.ts";

/** How long the end of a command waits for its servers to stop, in milliseconds. */
const CLOSE_MS = 2_500;

/** A manager whose servers are being started. */
export interface Running {
  /** The manager. */
  readonly manager: MCPManager;
  /** Resolves when no start is under way any more. Rejects when the program is to end. */
  settled(): Promise<void>;
}

/** How servers are started. */
export interface RunningOptions {
  /** What to start; every row of its plan is in the manager's view. */
  readonly loaded: LoadedConfigs;
  /** Lists read beside the tools. Default: all that each server declares. */
  readonly furtherLists?: readonly Exclude<ListKind, "tools">[];
  /** Called whenever a row changes. */
  readonly onServer?: (view: ServerView) => void;
}

/**
 * Starts servers, does something with them, and stops them again whatever happened: at once, at
 * most 2.5 s. What is left after that dies with the process. `body` prints before it returns, so
 * that no answer waits for a slow server's end.
 */
export async function withServers<T>(
  context: CliContext,
  discovered: Discovered,
  options: RunningOptions,
  body: (running: Running) => Promise<T>,
): Promise<T> {
  const { machine, folders, log } = discovered;
  const trace = await openedTrace(context, discovered);
  const { signal } = context;
  signal.throwIfAborted();
  const [runtime, { PolicyGate }, { ProgramHooks }, { sessionConfigs }, chain] = await Promise.all([
    import("../runtime/manager.ts"),
    import("../plan/policy_gate.ts"),
    import("../interceptors/program_hooks.ts"),
    import("../session/session_servers.ts"),
    import("../session/gateway_chain.ts"),
  ]);
  const inChain = chain.chainRule(machine.env);
  const ids = chain.newChain(machine.env);
  const { configs, sources, plan } = sessionConfigs(
    options.loaded,
    ({ launch }) => inChain(launch),
  );
  const gate = new PolicyGate(machine);
  const hooks = new ProgramHooks({ machine, folders, log }, options.loaded.hooks);
  const manager = new runtime.MCPManager({
    machine,
    folders,
    workspacePath: plan.workspacePath,
    log,
    // A command tells what it found; it does not wait for what may come back.
    autoReconnect: false,
    mayRun: (candidate) => gate.check(candidate),
    chain: ids,
    childEnvironment: chain.childChain(machine.env, {
      id: ids.at(-1) ?? "",
      workspacePath: plan.workspacePath,
    }),
    hooks: hooks.current(),
    trace: trace?.write,
    ...(options.furtherLists === undefined ? {} : { furtherLists: options.furtherLists }),
    ...(options.onServer === undefined ? {} : { onServer: options.onServer }),
  });
  try {
    const started = manager.connectServers(configs, sources, { plan, signal });
    // Its failure is reported where it is waited for, or not at all when the body did not wait.
    started.catch(() => {});
    return await body({
      manager,
      settled: () => orAborted(started.then(() => manager.settled({ signal })), signal),
    });
  } finally {
    await within(manager.disconnectAll(), CLOSE_MS);
    trace?.close();
  }
}

/** Where the messages go that `--trace` asks for; `null` without it. */
async function openedTrace(
  { output }: CliContext,
  { machine, trace }: Discovered,
): Promise<TraceOutput | null> {
  if (trace === undefined) return null;
  const { openTrace } = await import("./trace_output.ts");
  return openTrace(trace, machine.cwd, output.stderr);
}

/** Names of the servers that are still on their way. */
export function stillStarting(manager: MCPManager): readonly string[] {
  return manager.getServers()
    .filter(({ state }) => connectionStatus(state) === "connecting")
    .map(({ name }) => name);
}

/** Waits for a promise, at most so long; tells whether it resolved by then. Rejects as it does. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([promise.then((): true => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise's outcome, or an `aborted` error as soon as the signal fires. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new HotplugError("aborted", "Aborted"));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
