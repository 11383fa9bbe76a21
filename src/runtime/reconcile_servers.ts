import { unlessAborted } from "../model/abort.ts";
import { type ErrorInfo, throwIfAborted, toHotplugError } from "../model/errors.ts";
import type { LoadedConfigs } from "../model/plan.ts";
import { plannedView } from "../model/server_view.ts";
import { exchangeServer } from "./exchange_server.ts";
import type { ManagerParts } from "./manager_parts.ts";
import {
  reconcile,
  type ReconcileAction,
  type ReconcileMode,
  type RunningServer,
  type WantedServer,
} from "./reconcile.ts";
import { runningServers, wantedServers } from "./reconcile_input.ts";
import { StoppedServers } from "./stopped_servers.ts";

/** What {@linkcode MCPManager.reconcile} takes besides what was loaded. */
export interface ReconcileOptions {
  /** Why. Default: `changes`. */
  readonly mode?: ReconcileMode | undefined;
  /** Servers that are restarted even when nothing differs. Default: none. */
  readonly restart?: readonly string[] | undefined;
  /** Ends it: what has begun to start then still does, unless the manager is disconnected. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of the servers. Each name stands in one list. */
export interface Reconciled {
  /** Names of the servers that were started and did not run before. */
  readonly started: readonly string[];
  /** Names of the servers that were ended. */
  readonly stopped: readonly string[];
  /** Names of the servers that were ended and started anew. */
  readonly restarted: readonly string[];
  /** Names of the servers that were left as they are, but for what they offer. */
  readonly kept: readonly string[];
  /** Whether anything at all is different now, rows that do not run included. */
  readonly changed: boolean;
  /**
   * Why each server that was started or restarted has failed, by name, as soon as all of them are
   * connected or have failed. In a reload also why those that go on could not be asked for their
   * lists again, as soon as all have answered or their start time is over. Never rejects.
   */
  readonly settled: Promise<ReadonlyMap<string, ErrorInfo>>;
}

/** A server and why it failed. */
type NamedError = readonly [name: string, error: ErrorInfo];

/**
 * Brings what runs to what was loaded, one time after the other. Servers that stand in no plan are
 * their host's own and stay as they are.
 */
export class ServerReconciler {
  readonly #parts: ManagerParts;
  /** The last one that was asked for. */
  #last: Promise<unknown> = Promise.resolve();
  #running = new AbortController();
  readonly #stopped: StoppedServers;

  /** Nothing is touched yet. */
  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.#stopped = new StoppedServers(parts);
  }

  /**
   * Does so when all that was asked for before is done. Returns when everything is on its way.
   * @throws {HotplugError} `aborted`.
   */
  reconcile(loaded: LoadedConfigs, options: ReconcileOptions = {}): Promise<Reconciled> {
    const signals = [this.#running.signal, ...options.signal === undefined ? [] : [options.signal]];
    const signal = AbortSignal.any(signals);
    const done = this.#last.then(() => this.#run(loaded, options, signal));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Starts nothing more of what was asked for. Resolves when all of it has ended. Never rejects. */
  async stop(): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    await this.#last;
  }

  async #run(
    loaded: LoadedConfigs,
    { mode = "changes", restart = [] }: ReconcileOptions,
    signal: AbortSignal,
  ): Promise<Reconciled> {
    throwIfAborted(signal);
    const { lives, tools, registries, sweep, onToolsChanged } = this.#parts;
    const { rows, sources } = registries;
    // Reading files can hang, and so can a host that is asked whether a server may run.
    const wanted = await unlessAborted(wantedServers(loaded, mode, this.#parts, signal), signal);
    const names = new Set(wanted.map(({ name }) => name));
    const running = await unlessAborted(runningServers(names, this.#parts), signal);
    const actions = reconcile({ running, wanted, mode, restart });
    const did = (...kinds: readonly ReconcileAction[]): readonly string[] =>
      [...actions].flatMap(([name, action]) => kinds.includes(action) ? [name] : []);
    const [stopped, restarted] = [did("stop"), did("restart")];
    const order = orderOf(this.#parts);
    const planned = plannedTexts(this.#parts);
    rows.adopt(loaded.plan);
    tools.setOrder(rows.names());
    // Ends when all that comes up in it is up: then names stay with who has them.
    const endGo = tools.beginGo({ anew: mode === "reload" });
    const isReordered = order !== orderOf(this.#parts);
    const servers = new Map(wanted.map((server) => [server.name, server]));
    for (const name of did("exchange", "relist")) {
      const server = servers.get(name);
      if (server !== undefined) exchangeServer(server, this.#parts);
    }
    const relisted = did("relist").map((name) => this.#relist(name));
    for (const name of restarted) this.#log(name, running, wanted);
    await Promise.all(
      running.filter(({ name }) => stopped.includes(name)).map((of) => this.#stopped.end(of)),
    );
    const begun = signal.aborted ? [] : wanted.filter(({ name }) => {
      const action = actions.get(name);
      return action === "start" || action === "restart";
    });
    const starts = begun.map(({ name, config, source, keys }) => {
      if (source === undefined) sources.delete(name);
      else sources.set(name, source);
      const input = { name, config, source };
      if (actions.get(name) === "restart") return lives.replace(input, restart.includes(name));
      // One that only got another name must not run beside itself.
      return lives.begin(input, this.#stopped.endOf(keys));
    });
    if (starts.length > 0) sweep.schedule();
    if (isReordered) onToolsChanged();
    const rowsChanged = this.#tellRows(planned);
    const begunNames = begun.map(({ name }) => name);
    const settled = Promise.all([...relisted, ...starts.map(({ done }) => done)]).then((ends) => {
      endGo();
      const names = [...did("relist"), ...begunNames];
      return new Map([...ends.flatMap((failed) => failed ?? []), ...this.#errors(names)]);
    });
    throwIfAborted(signal);
    return {
      started: did("start"),
      stopped,
      restarted,
      kept: did("keep", "exchange", "relist"),
      changed: rowsChanged || [...actions.values()].some((action) => action !== "keep"),
      settled,
    };
  }

  /** Writes down why a server restarts: with these, two of its starts can be told apart. */
  #log(name: string, running: readonly RunningServer[], wanted: readonly WantedServer[]): void {
    const mark = (servers: readonly (RunningServer | WantedServer)[]): string | null =>
      servers.find((server) => server.name === name)?.keys?.fingerprint.slice(0, 12) ?? null;
    this.#parts.context.log.log("info", "Server is started anew", {
      server: name,
      before: mark(running),
      now: mark(wanted),
    });
  }

  /** Tells of the rows whose plan differs; `false` when there are none. */
  #tellRows(before: ReadonlyMap<string, string>): boolean {
    const { rows } = this.#parts.registries;
    const now = plannedTexts(this.#parts);
    const changed = [...now].filter(([name, text]) => before.get(name) !== text);
    for (const [name] of changed) rows.tell(name);
    return changed.length > 0 || before.size !== now.size;
  }

  /** Reads a server's lists anew; gives why that failed, if it did. Never rejects. */
  async #relist(name: string): Promise<readonly NamedError[]> {
    try {
      await this.#parts.lives.relist(name);
      return [];
    } catch (thrown) {
      return [[name, toHotplugError(thrown).toInfo()]];
    }
  }

  #errors(names: readonly string[]): readonly NamedError[] {
    const { rows } = this.#parts.registries;
    return names.flatMap((name) => {
      const error = rows.get(name)?.error ?? null;
      return error === null ? [] : [[name, error] as const];
    });
  }
}

/** The names of the tools on offer, in one text. */
function orderOf({ tools }: ManagerParts): string {
  return tools.all().map(({ name }) => name).join("\n");
}

/** The rows of the plan as they are shown, by name. */
function plannedTexts({ registries: { rows } }: ManagerParts): ReadonlyMap<string, string> {
  return new Map(
    rows.names().flatMap((name) => {
      const planned = rows.planned(name);
      return planned === undefined ? [] : [[name, JSON.stringify(plannedView(planned))] as const];
    }),
  );
}
