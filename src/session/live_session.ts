import { unlessAborted } from "../model/abort.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import type {
  RefreshReport,
  ReloadRequest,
  SessionInfo,
  SessionStatus,
} from "../model/session_view.ts";
import type { ServerView } from "../model/server_view.ts";
import { type ErrorInfo, HotplugError } from "../model/errors.ts";
import type { Tool } from "../model/tool.ts";
import type { ToolSet } from "../model/tool_set.ts";
import type { MCPManager } from "../runtime/manager.ts";
import { hostTeller, type TellHost } from "../runtime/tell_host.ts";
import { noSuchServer } from "../runtime/unavailable.ts";
import { executorOf, type ToolExecutor } from "../tools/tool_executor.ts";
import type { Assembly } from "./assembly.ts";
import type { ConfigLook } from "./config_reader.ts";
import { ConfigWatch } from "./config_watch.ts";
import { type DelegatedTools, delegatedTools, type DelegateOptions } from "./delegate.ts";
import { HostRefresh } from "./host_refresh.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import { SessionReload } from "./session_reload.ts";
import type { MCPSession } from "./session.ts";
import type { SessionCompanion, SessionParts } from "./session_parts.ts";
import type { SessionOptions } from "./session_options.ts";
import { sessionView } from "./session_servers.ts";
import { ToolSetKeeper } from "./tool_set_keeper.ts";

/** What ends the waiting of whoever asks. */
interface Asked {
  readonly signal?: AbortSignal;
}

/** The session behind {@linkcode MCPSession}. */
export class LiveSession implements MCPSession {
  /** Who it is. */
  readonly info: SessionInfo;
  /** Runs the servers. The session's own `close()` ends them. */
  readonly manager: MCPManager;
  /** Calls tools by the names that the model knows. */
  readonly executor: ToolExecutor = executorOf(() => this.tools, {
    lookup: (name) => this.manager.findTool(name),
  });
  readonly #options: SessionOptions;
  readonly #assembly: Assembly;
  readonly #keeper: ToolSetKeeper;
  readonly #host: HostRefresh;
  readonly #reload: SessionReload;
  readonly #paused = new Set<string>();
  readonly #queue = new OneAtATime();
  readonly #tell: TellHost;
  readonly #isOff: boolean;
  readonly #ended = new AbortController();
  #watch: ConfigWatch | null = null;
  #failure: ErrorInfo | null = null;
  #companions: readonly SessionCompanion[] = [];
  #closing: Promise<void> | null = null;

  /** A session without servers. Nothing is read and nothing starts. */
  constructor({ info, options, assembly }: SessionParts) {
    this.info = info;
    this.#options = options;
    this.#assembly = assembly;
    const { clock, log, reader } = assembly;
    this.#tell = hostTeller(log);
    this.#isOff = options.enableMCP === false;
    this.manager = assembly.manager(info.workspacePath, {
      onToolsChanged: () => this.#keeper.update(),
      onServer: (view) => options.onServer?.(sessionView(view, this.#paused)),
    });
    this.#keeper = new ToolSetKeeper(() => this.manager.getTools(), () => this.#host.start());
    this.#host = new HostRefresh({
      current: () => this.#keeper.current,
      ...options,
      clock,
      log,
      ended: this.#ended.signal,
    });
    this.#reload = new SessionReload({
      clock,
      reader,
      queue: this.#queue,
      manager: this.manager,
      keeper: this.#keeper,
      host: this.#host,
      paused: this.#paused,
      leaveOut: options.leaveOut,
      onLook: (look) => this.#watchFrom(look),
      views: () => this.#views(),
      ended: this.#ended.signal,
    });
  }

  /** The tools on offer. */
  get tools(): readonly Tool[] {
    return this.#keeper.current.tools;
  }

  /** Number of the tool set. */
  get generation(): number {
    return this.#keeper.current.generation;
  }

  /** The tools on offer and their generation. */
  get toolSet(): ToolSet {
    return this.#keeper.current;
  }

  /** What was read last; `null` when nothing could be. */
  get configs(): LoadedConfigs | null {
    return this.#reload.loaded;
  }

  /** Why nothing could be read so far. */
  get failure(): ErrorInfo | null {
    return this.configs === null ? this.#failure : null;
  }

  /** Notes why nothing could be read. */
  discoveryFailed(failure: ErrorInfo): void {
    this.#failure = failure;
  }

  /** How it stands. */
  status(): SessionStatus {
    const { generation, tools } = this.#keeper.current;
    return { session: this.info, generation, tools: tools.length, servers: this.#views() };
  }

  /**
   * Starts what was read, and takes what is to end with the session.
   * @throws {HotplugError} `aborted`.
   */
  async begin(
    look: ConfigLook | null,
    companions: readonly SessionCompanion[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.#companions = companions;
    await this.#reload.begin(look, signal);
    if (look !== null) this.#watchFrom(look);
  }

  /** Reads everything anew and lets it take effect. */
  async reload(request: ReloadRequest = {}, options: Asked = {}): Promise<RefreshReport> {
    if (this.#isOff) return await this.#reload.nothing([]);
    return await this.#reload.reload(request, options.signal);
  }

  /** Takes a server's tools away until it is resumed. */
  async pause(server: string, options: Asked = {}): Promise<RefreshReport> {
    this.#known(server);
    this.#paused.add(server);
    this.#tellRow(server);
    return await this.#reload.pause(server, options.signal);
  }

  /** Starts a paused server again. */
  async resume(server: string, options: Asked = {}): Promise<RefreshReport> {
    this.#known(server);
    if (!this.#paused.delete(server)) return await this.#reload.nothing([server]);
    this.#tellRow(server);
    return await this.#reload.resume(server, options.signal);
  }

  /** Reads everything anew and starts a server, whatever has become of it. */
  async retry(server: string, options: Asked = {}): Promise<RefreshReport> {
    if (this.#isOff) throw noSuchServer(server, []);
    if (this.#paused.has(server)) {
      throw new HotplugError("server-not-runnable", `Cannot retry "${server}": it is paused`, {
        hint: `Resume it first: mcp resume ${server}`,
      });
    }
    return await this.#reload.retry(server, options.signal);
  }

  /** Has the host's tools exchanged for those of the session. */
  async refreshMCPTools(options: Asked = {}): Promise<void> {
    this.#keeper.update();
    await this.#host.now(options.signal);
  }

  /** The tools of a subagent. */
  delegate({ tools }: DelegateOptions = {}): DelegatedTools {
    return delegatedTools({
      tools: () => this.tools,
      lookup: (name) => this.manager.findTool(name),
    }, tools ?? null);
  }

  /** Resolves when no server is on its way any more and all tools are on offer. Never rejects. */
  async settled(options: Asked = {}): Promise<void> {
    await this.manager.settled(options);
    await unlessAborted(this.#keeper.released(), options.signal).catch(() => {});
  }

  /** Ends the session and its servers. Bounded, idempotent, never rejects. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** The same as {@linkcode close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled([
      ...this.#companions.map(async (companion) => await companion.close()),
      this.#watch?.stop(),
      this.manager.disconnectAll(),
    ]);
  }

  #views(): readonly ServerView[] {
    return this.manager.getServers().map((view) => sessionView(view, this.#paused));
  }

  /** Tells the host of a server's row, of which the manager knows no change. */
  #tellRow(server: string): void {
    const row = this.#views().find(({ name }) => name === server);
    if (row !== undefined) this.#tell(() => this.#options.onServer?.(row));
  }

  #known(server: string): void {
    const names = this.manager.getServers().map(({ name }) => name);
    if (!names.includes(server)) throw noSuchServer(server, names);
  }

  /** Watches the files from the first time that they could be read. */
  #watchFrom(look: ConfigLook): void {
    const { watch, onReconciled, kind } = this.#options;
    // A host behind a gateway has no other way to follow edits by itself.
    const isWanted = watch ?? look.loaded.watch ?? kind === "gateway";
    if (this.#watch !== null || !isWanted) return;
    const { reader, clock, log } = this.#assembly;
    const queue = this.#queue;
    this.#watch = new ConfigWatch({ reader, first: look, clock, log, queue, onReconciled });
    this.#watch.start({ reconcile: (loaded, options) => this.#reload.watched(loaded, options) });
  }
}
