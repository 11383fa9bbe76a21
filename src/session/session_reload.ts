import { unlessAborted } from "../model/abort.ts";
import { type ErrorInfo, HotplugError } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import type { RefreshReport, ReloadRequest } from "../model/session_view.ts";
import type { ServerView } from "../model/server_view.ts";
import type { MCPManager } from "../runtime/manager.ts";
import type { Reconciled, ReconcileOptions } from "../runtime/reconcile_servers.ts";
import { DRAIN_MS } from "../runtime/retired_connections.ts";
import { noSuchServer } from "../runtime/unavailable.ts";
import type { Assembly } from "./assembly.ts";
import type { ConfigLook } from "./config_reader.ts";
import type { HostRefresh } from "./host_refresh.ts";
import { fileErrors, invalidErrors, serverErrors } from "./load_errors.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import { failures, reloadedServers, type Touched } from "./reloaded_servers.ts";
import { sessionConfigs, unpaused } from "./session_servers.ts";
import type { SessionOptions } from "./session_options.ts";
import { toolSetDiff } from "./tool_set_diff.ts";
import type { ToolSetKeeper } from "./tool_set_keeper.ts";

/**
 * Milliseconds that a reload keeps the old tool set for the sake of one exchange. After that the
 * tools of servers that are still on their way come as they arrive, as one slow server must not
 * keep those of all others away.
 */
const HOLD_MS = 10_000;

/** What {@linkcode SessionReload} works with. */
export interface SessionReloadParts extends Pick<Assembly, "clock" | "reader"> {
  /** Runs the servers. */
  readonly manager: MCPManager;
  /** The tool set. */
  readonly keeper: ToolSetKeeper;
  /** Tells the host of it. */
  readonly host: HostRefresh;
  /** Names of the servers that are paused. */
  readonly paused: ReadonlySet<string>;
  /** Which servers take no part. */
  readonly leaveOut: SessionOptions["leaveOut"];
  /** Called with each look that is about to take effect. */
  readonly onLook: (look: ConfigLook) => void;
  /** The rows as the session shows them. */
  readonly views: () => readonly ServerView[];
  /** Fires when the session ends. */
  readonly ended: AbortSignal;
}

/** How a session's servers are brought to what is declared: by a reload, a watched file, a retry. */
export class SessionReload {
  readonly #parts: SessionReloadParts;
  readonly #queue = new OneAtATime();
  /** What is in force, as it was read; `null` before anything was. */
  #loaded: LoadedConfigs | null = null;
  /** Names of the rows that the user was told of, at the start and by each reload. */
  #told: ReadonlySet<string> = new Set();

  /** Nothing is touched yet. */
  constructor(parts: SessionReloadParts) {
    this.#parts = parts;
  }

  /** What is in force; `null` before anything was read. */
  get loaded(): LoadedConfigs | null {
    return this.#loaded;
  }

  /** Starts what was read first. Returns when the start gate has been passed. */
  async begin(look: ConfigLook, signal: AbortSignal | undefined): Promise<void> {
    const { keeper, manager, host } = this.#parts;
    const release = keeper.hold();
    try {
      const { configs, sources, plan } = this.#adopt(look.loaded);
      this.#told = new Set(plan.servers.map(({ name }) => name));
      await manager.connectServers(configs, sources, { plan, signal });
    } finally {
      // Whoever asked for the session has its first tools from it.
      keeper.begin();
      const given = host.begin();
      release();
      await given;
    }
  }

  /**
   * Reads everything anew and lets it take effect.
   * @throws {HotplugError} `discovery-failed`, `unknown-server` or `aborted`; nothing has changed
   * then, but for what had begun to start.
   */
  async reload(request: ReloadRequest, asked?: AbortSignal): Promise<RefreshReport> {
    const { manager } = this.#parts;
    const { servers: restart = [] } = request;
    return await this.#report(async (signal) => {
      const { loaded } = await this.#look(restart, signal);
      if (request.restart === true) return await this.#restartAll(loaded, signal);
      const options = { mode: "reload", restart, signal } as const;
      const done = await manager.reconcile(this.#adopt(loaded), options);
      // Others may have been on their way before.
      const settled = done.settled.then(async (failed) => {
        await manager.settled({ signal });
        return failed;
      });
      return { ...done, settled };
    }, { asked, isReload: true });
  }

  /** Reads everything anew, and starts one server whatever has become of it. */
  async retry(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    return await this.#report(async (signal) => {
      const { loaded } = await this.#look([server], signal);
      const options = { restart: [server], signal };
      return await this.#parts.manager.reconcile(this.#adopt(loaded), options);
    }, { asked });
  }

  /** Takes a server's tools away, at once; it ends when its calls are done. */
  async pause(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    return await this.#report(() => {
      void this.#parts.manager.disconnectServer(server, { drainMs: DRAIN_MS });
      return Promise.resolve({ stopped: [server] });
    }, { asked, holds: false });
  }

  /** Starts a server that is paused no longer, by what was read last. */
  async resume(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    return await this.#report(async (signal) => {
      if (this.#loaded === null) return {};
      const options = { restart: [server], signal };
      return await this.#parts.manager.reconcile(this.#adopt(this.#loaded), options);
    }, { asked });
  }

  /** Says how things stand, when nothing is to be done. */
  async nothing(server: string): Promise<RefreshReport> {
    return await this.#report(() => Promise.resolve({ kept: [server] }), {});
  }

  /** Lets what a watch has read take effect; its tools are exchanged in one go, too. */
  async watched(loaded: LoadedConfigs, options: ReconcileOptions = {}): Promise<Reconciled> {
    const release = this.#hold();
    try {
      const done = await this.#queue.run(() =>
        this.#parts.manager.reconcile(this.#adopt(loaded), options)
      );
      void done.settled.then(release);
      return done;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Takes what was read for what is in force, and gives what the session runs of it. */
  #adopt(loaded: LoadedConfigs): LoadedConfigs {
    this.#loaded = loaded;
    const { leaveOut, paused } = this.#parts;
    return unpaused(sessionConfigs(loaded, leaveOut), paused);
  }

  /** Looks at the user's wish, for servers of which these must be known. */
  async #look(names: readonly string[], signal: AbortSignal): Promise<ConfigLook> {
    const look = await this.#parts.reader.look(signal, { isAsked: true });
    const known = look.loaded.plan.servers.map(({ name }) => name);
    const strange = names.find((name) => !known.includes(name));
    if (strange !== undefined) throw noSuchServer(strange, known);
    this.#parts.onLook(look);
    return look;
  }

  /** Ends every server and starts all that may run. */
  async #restartAll(loaded: LoadedConfigs, signal: AbortSignal): Promise<Touched> {
    const { manager } = this.#parts;
    const before = new Set(manager.getServers().flatMap(({ name, since }) => since ? [name] : []));
    await manager.disconnectAll();
    const { configs, sources, plan } = this.#adopt(loaded);
    await manager.connectServers(configs, sources, { plan, signal });
    const names = Object.keys(configs);
    return {
      started: names.filter((name) => !before.has(name)),
      restarted: names.filter((name) => before.has(name)),
      stopped: [...before].filter((name) => !names.includes(name)),
      settled: manager.settled({ signal }).then(() => failures(manager, names)),
    };
  }

  /** Does something with servers as one exchange of the tool set, and says what it led to. */
  async #report(
    work: (signal: AbortSignal) => Promise<Touched>,
    options: ReportOptions,
  ): Promise<RefreshReport> {
    const { asked, holds = true, isReload = false } = options;
    const { clock, keeper, host, ended, views } = this.#parts;
    if (ended.aborted) throw new HotplugError("not-connected", "The session has ended");
    const signal = AbortSignal.any(asked === undefined ? [ended] : [ended, asked]);
    const startedAt = clock.ticks();
    const before = keeper.current;
    const release = holds ? this.#hold() : () => {};
    let touched: Touched;
    try {
      touched = await this.#queue.run(() => work(signal));
      await unlessAborted(Promise.resolve(touched.settled), signal);
    } finally {
      release();
    }
    const outcome = await host.outcome(before.generation);
    const { generation, tools } = keeper.current;
    const failed = await touched.settled ?? new Map<string, ErrorInfo>();
    const rows = views();
    const told = this.#told;
    if (isReload) this.#told = new Set(rows.map(({ name }) => name));
    return {
      ...toolSetDiff(before.tools, tools),
      generation,
      before: before.tools.length,
      after: tools.length,
      host: outcome,
      servers: reloadedServers(touched, rows, isReload ? told : null),
      errors: [
        ...fileErrors(this.#loaded),
        ...(isReload && this.#loaded !== null ? invalidErrors(this.#loaded) : []),
        ...serverErrors(failed),
      ],
      elapsedMs: Math.round(clock.ticks() - startedAt),
    };
  }

  /** Keeps the tool set as it is until what is given is called, or too much time has passed. */
  #hold(): () => void {
    const { keeper, clock, ended } = this.#parts;
    const release = keeper.hold();
    const waited = new AbortController();
    const signal = AbortSignal.any([waited.signal, ended]);
    void clock.idle(HOLD_MS, signal).then(release);
    return () => {
      release();
      waited.abort();
    };
  }
}

/** How something is done with servers. */
interface ReportOptions {
  /** Ends the waiting. */
  readonly asked?: AbortSignal | undefined;
  /** Whether the tool set stays as it is until it is done. Default `true`. */
  readonly holds?: boolean;
  /** Whether all was read anew, so that what does not run is told of, too. Default `false`. */
  readonly isReload?: boolean;
}
