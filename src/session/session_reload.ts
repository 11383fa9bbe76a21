import { unlessAborted } from "../model/abort.ts";
import { type ErrorInfo, HotplugError, throwIfAborted } from "../model/errors.ts";
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
import type { OneAtATime } from "./one_at_a_time.ts";
import {
  failures,
  reloadedServers,
  reportErrors,
  type ReportOptions,
  type Touched,
} from "./reload_report.ts";
import { sessionConfigs, unpaused } from "./session_servers.ts";
import type { SessionOptions } from "./session_options.ts";
import { toolSetDiff } from "./tool_set_diff.ts";
import { holdToolSet } from "./tool_set_hold.ts";
import type { ToolSetKeeper } from "./tool_set_keeper.ts";

/** What {@linkcode SessionReload} works with. */
export interface SessionReloadParts extends Pick<Assembly, "clock" | "reader"> {
  /** In which all that reads configs stands, so that what was read last takes effect last. */
  readonly queue: OneAtATime;
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

  /**
   * Starts what was read first, if anything was. Returns when the start gate has been passed.
   * @throws {HotplugError} `aborted`. Nobody is told of anything then.
   */
  async begin(look: ConfigLook | null, signal: AbortSignal | undefined): Promise<void> {
    const { keeper, manager, host } = this.#parts;
    const release = keeper.hold();
    if (look !== null) {
      const { configs, sources, plan } = this.#adopt(look.loaded);
      this.#told = new Set(plan.servers.map(({ name }) => name));
      await manager.connectServers(configs, sources, { plan, signal });
    }
    // Whoever asked for the session has its first tools from it.
    keeper.begin();
    const given = host.begin();
    release();
    await unlessAborted(given, signal);
  }

  /**
   * Reads everything anew and lets it take effect.
   * @throws {HotplugError} `discovery-failed`, `unknown-server` or `aborted`; nothing has changed
   * then, but for what had begun: that goes on.
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
      return { ...done, asked: restart, settled };
    }, { asked, isReload: true });
  }

  /** Reads everything anew, and starts one server whatever has become of it. */
  async retry(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    return await this.#report(async (signal) => {
      const { loaded } = await this.#look([server], signal);
      const options = { restart: [server], signal };
      const done = await this.#parts.manager.reconcile(this.#adopt(loaded), options);
      return { ...done, asked: [server] };
    }, { asked });
  }

  /** Takes a server's tools away, at once; it ends when its calls are done. */
  async pause(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    const { keeper, manager } = this.#parts;
    const before = keeper.current;
    const end = (): void => {
      void manager.disconnectServer(server, { drainMs: DRAIN_MS });
      keeper.drop(server);
    };
    end();
    return await this.#report(() => {
      // What was under way may have started it again.
      end();
      return Promise.resolve({ stopped: [server] });
    }, { asked, before });
  }

  /** Starts a server that is paused no longer, by what was read last. */
  async resume(server: string, asked?: AbortSignal): Promise<RefreshReport> {
    return await this.#report(async (signal) => {
      if (this.#loaded === null) return {};
      const options = { restart: [server], signal };
      const done = await this.#parts.manager.reconcile(this.#adopt(this.#loaded), options);
      return { ...done, asked: [server] };
    }, { asked });
  }

  /** Says how things stand, when nothing is to be done. */
  async nothing(kept: readonly string[]): Promise<RefreshReport> {
    return await this.#report(() => Promise.resolve({ kept }), {});
  }

  /**
   * Lets what a watch has read take effect; its tools are exchanged in one go, too. The watch has
   * its turn in the queue.
   */
  async watched(loaded: LoadedConfigs, options: ReconcileOptions = {}): Promise<Reconciled> {
    const release = this.#hold();
    try {
      const done = await this.#parts.manager.reconcile(this.#adopt(loaded), options);
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
    const { manager, ended } = this.#parts;
    throwIfAborted(signal);
    const before = new Set(manager.getServers().flatMap(({ name, since }) => since ? [name] : []));
    await manager.disconnectAll();
    const { configs, sources, plan } = this.#adopt(loaded);
    // Whoever has had enough by now still wants servers.
    await manager.connectServers(configs, sources, { plan, signal: ended });
    const names = Object.keys(configs);
    return {
      started: names.filter((name) => !before.has(name)),
      restarted: names.filter((name) => before.has(name)),
      stopped: [...before].filter((name) => !names.includes(name)),
      settled: manager.settled({ signal: ended }).then(() => failures(manager, names)),
    };
  }

  /**
   * Does something with servers as one exchange of the tool set, and says what it led to.
   * @param options With the set `before` nothing is held: it has been exchanged already.
   */
  async #report(
    work: (signal: AbortSignal) => Promise<Touched>,
    options: ReportOptions,
  ): Promise<RefreshReport> {
    const { clock, keeper, host, ended, queue, views } = this.#parts;
    const { asked, before = keeper.current, isReload = false } = options;
    if (ended.aborted) throw new HotplugError("not-connected", "The session has ended");
    const signal = AbortSignal.any(asked === undefined ? [ended] : [ended, asked]);
    const startedAt = clock.ticks();
    const isHeld = options.before === undefined;
    const release = isHeld ? this.#hold() : () => {};
    const done = queue.run(async () => {
      throwIfAborted(signal);
      return await work(signal);
    });
    const settled = done.then(({ settled }) => settled);
    // It stays one exchange also when nobody waits for it any more.
    settled.then(release, release);
    const failed = await unlessAborted(settled, signal) ?? new Map<string, ErrorInfo>();
    const touched = await done;
    // What is reloaded at the same time is the same exchange.
    if (isHeld) await unlessAborted(keeper.released(), signal);
    const outcome = await unlessAborted(host.outcome(before.generation), signal);
    const { generation, tools } = keeper.current;
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
      errors: reportErrors(this.#loaded, failed, isReload),
      elapsedMs: Math.round(clock.ticks() - startedAt),
    };
  }

  #hold(): () => void {
    const { keeper, clock, ended } = this.#parts;
    return holdToolSet(keeper, clock, ended);
  }
}
