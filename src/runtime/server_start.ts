import { knownProtocol } from "../cache/freshness.ts";
import { type LaunchFacts, launchFacts } from "../cache/launch_facts.ts";
import { connectToServer } from "../connection/connect.ts";
import { listTools } from "../connection/listing.ts";
import { callTimeout, startupTimeout } from "../definitions/timeouts.ts";
import { validateServerConfig } from "../definitions/validate.ts";
import { unlessAborted } from "../model/abort.ts";
import type { CacheEntry } from "../model/cache.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ServerConfig } from "../model/definition.ts";
import { errorFromInfo, toHotplugError } from "../model/errors.ts";
import type { Listing, ToolInfo } from "../model/listing.ts";
import type { SourceInfo } from "../model/source.ts";
import { recordsFolder } from "../platform/run_record.ts";
import { hookConnection } from "./hook_connection.ts";
import { completeLaunch, valuesText } from "./launch.ts";
import { candidateOf } from "./run_permission.ts";
import type { StartContext } from "./start_context.ts";
import type { StartLog } from "./start_log.ts";

/** Milliseconds that a start waits for the cache before it goes on without it. */
const CACHE_WAIT_MS = 100;

/** Which server is to be started, and with what. */
export interface StartInput {
  /** Its name. */
  readonly name: string;
  /** Its definition, placeholders unexpanded, `cwd` decided. */
  readonly config: ServerConfig;
  /** Where it is declared, if known. */
  readonly source: SourceInfo | undefined;
}

/**
 * One attempt to start one server, as four promises that build on each other. Each rejects with a
 * `HotplugError`; what nobody waits for is not reported as unhandled.
 */
export interface ServerStart {
  /** Which server. */
  readonly input: StartInput;
  /** What it is started with, and its key in the cache. */
  readonly facts: Promise<LaunchFacts>;
  /** What the cache knows of it; `null` for nothing. Never rejects. */
  readonly known: Promise<CacheEntry | null>;
  /** The connection, after the handshake. */
  readonly connection: Promise<MCPServerConnection>;
  /** Its whole tool list. When it fails other than by an abort, the connection has been closed. */
  readonly tools: Promise<Listing<ToolInfo>>;
  /** Fires when the attempt is abandoned. */
  readonly signal: AbortSignal;
  /**
   * Ends the attempt and closes what it opened. Bounded, idempotent, never rejects.
   * @param drained What is waited for before an open connection is closed; `null` for nothing.
   */
  abandon(drained: (connection: MCPServerConnection) => Promise<void> | null): Promise<void>;
}

/**
 * Starts an attempt and returns at once.
 * @param after The end of what it takes the place of: no process starts before that.
 */
export function beginStart(
  input: StartInput,
  context: StartContext,
  after: Promise<unknown>,
): ServerStart {
  const controller = new AbortController();
  const { signal } = controller;
  const facts = prepare(input, context);
  const known = facts.then((found) => remembered(found, context, signal), () => null);
  const log = context.logs.open(input.name);
  const connection = connecting(
    input,
    context,
    () => open(input, context, { facts, known, signal, log, after }),
  );
  const tools = connection.then((opened) => list(opened, input, context, { signal, log }));
  connection.then((opened) => log.connected(opened), (thrown) => log.failed(thrown));
  for (const promise of [facts, connection, tools]) promise.catch(() => {});
  return {
    input,
    facts,
    known,
    connection,
    tools,
    signal,
    async abandon(drained): Promise<void> {
      controller.abort();
      await connection.then(async (opened) => {
        await drained(opened);
        await opened.close();
      }, () => {});
    },
  };
}

/**
 * Validates the definition, replaces its placeholders, finds its program, and asks whether what
 * came out may run: nothing of it starts before that, nor do its values' commands.
 */
async function prepare(input: StartInput, context: StartContext): Promise<LaunchFacts> {
  const { name, config, source } = input;
  const [invalid] = validateServerConfig(name, config);
  if (invalid !== undefined) throw errorFromInfo(invalid);
  const { machine, folders, workspacePath, capabilities } = context;
  const looked = launchFacts({
    name,
    config,
    source,
    machine,
    folders,
    workspacePath,
    capabilities,
  });
  context.launches.note(input, looked);
  const result = await looked;
  if (result.ok) {
    await context.permission.ask(candidateOf(input, result.facts));
    return result.facts;
  }
  const [problem] = result.problems;
  throw problem === undefined ? toHotplugError("Invalid definition") : errorFromInfo(problem);
}

/** Asks the cache, which may be slow or broken: it never holds a start up for long. */
async function remembered(
  facts: LaunchFacts,
  context: StartContext,
  signal: AbortSignal,
): Promise<CacheEntry | null> {
  if (context.toolCache === null) return null;
  const waited = new AbortController();
  try {
    return await Promise.race([
      context.toolCache.get(facts.fingerprint),
      context.clock.delay(CACHE_WAIT_MS, AbortSignal.any([waited.signal, signal])).then(() => null),
    ]);
  } catch (error) {
    context.log.log("warn", "Cannot read the tool cache", { cause: toHotplugError(error).message });
    return null;
  } finally {
    waited.abort();
  }
}

/** Opens the connection in a span. */
async function connecting(
  { name }: StartInput,
  { telemetry }: StartContext,
  open: () => Promise<MCPServerConnection>,
): Promise<MCPServerConnection> {
  return await telemetry.around({ method: "initialize", server: name }, async ({ over }) => {
    const connection = await open();
    over(connection);
    return connection;
  });
}

/** Opens the connection; one that arrives after the attempt was abandoned is closed. */
async function open(
  input: StartInput,
  context: StartContext,
  start: {
    readonly facts: Promise<LaunchFacts>;
    readonly known: Promise<CacheEntry | null>;
    readonly signal: AbortSignal;
    readonly log: StartLog;
    readonly after: Promise<unknown>;
  },
): Promise<MCPServerConnection> {
  const { signal, log } = start;
  // Reading files can hang; an abandoned attempt does not wait for them.
  const facts = await unlessAborted(start.facts, signal);
  const { name, config, source } = input;
  await context.hooks.beforeConnect(() => hookConnection(input, facts), signal);
  const launch = await completeLaunch(facts, source, context.machine, signal);
  if (facts.commands.length > 0) context.launches.notePrinted(input, valuesText(launch));
  const known = launch.config.command === undefined ? await start.known : null;
  const authProvider = launch.config.url === undefined
    ? undefined
    : context.authStorage?.providerFor(name, launch.config.url);
  if (launch.config.command !== undefined) await unlessAborted(start.after, signal);
  // Commands of values may have taken a while.
  const candidate = candidateOf(input, facts);
  await unlessAborted(context.permission.ask(candidate), signal);
  log.starting(launch.config, launch.secrets);
  const connection = await connectToServer(name, { ...launch.config, cwd: facts.cwd }, {
    signal,
    timeout: startupTimeout(config),
    callTimeout: callTimeout(config),
    environment: { ...launch.environment, ...context.childEnvironment(config) },
    machine: context.machine,
    records: recordsFolder(context.folders),
    secrets: launch.secrets,
    chain: context.chain,
    handlers: context.handlers,
    capabilities: context.capabilities,
    logLevel: context.wishes.logLevel(name),
    subscriptions: context.wishes.subscriptions(name),
    onLogMessage: (line) => context.stash.add(line),
    onResourceUpdated: (uri) => context.onResourceUpdated(name, uri),
    knownProtocol: known === null ? null : knownProtocol(known, context.clock.now()),
    log: context.log,
    onStderr: (line) => log.stderr(line),
    onNotification: (notification) => {
      log.notification(notification);
      context.onNotification(name, notification);
    },
    trace: context.trace,
    ...(context.clientInfo === undefined ? {} : { clientInfo: context.clientInfo }),
    ...(authProvider === undefined ? {} : { authProvider }),
  });
  context.permission.note(connection, candidate);
  return connection;
}

/** Reads the tool list; without it the connection is of no use and is closed. */
async function list(
  connection: MCPServerConnection,
  { name, config }: StartInput,
  { telemetry }: StartContext,
  { signal, log }: { readonly signal: AbortSignal; readonly log: StartLog },
): Promise<Listing<ToolInfo>> {
  try {
    const operation = { method: "tools/list", server: name, connection };
    return await telemetry.around(
      operation,
      ({ meta }) => listTools(connection, { signal, timeout: startupTimeout(config), meta }),
    );
  } catch (error) {
    log.problem(error);
    // Whoever abandons it closes it, in his own time.
    if (!signal.aborted) await connection.close();
    throw error;
  }
}
