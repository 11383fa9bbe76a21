import { isAbortError, toHotplugError } from "../model/errors.ts";
import type { Logger } from "../model/log.ts";
import { FolderWatch, type FolderWatchOptions } from "../platform/folder_watch.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ManagerCompanion } from "../runtime/manager_options.ts";
import type { Reconciled } from "../runtime/reconcile_servers.ts";
import { hostTeller, type TellHost } from "../runtime/tell_host.ts";
import type { ConfigLook, ConfigReader } from "./config_reader.ts";
import { fileErrors, type LoadError, serverErrors } from "./load_errors.ts";
import { LookQueue } from "./look_queue.ts";
import { OneAtATime } from "./one_at_a_time.ts";

/** Milliseconds that ending waits for what is going on. */
const STOP_MS = 5000;

/** How often folders are armed and looked at again because new ones came up meanwhile. */
const MAX_ROUNDS = 3;

/** What a change of the files led to. Each name stands in one list. */
export interface ReconcileReport {
  /** Names of the servers that were started and did not run before. */
  readonly started: readonly string[];
  /** Names of the servers that were ended. */
  readonly stopped: readonly string[];
  /** Names of the servers that were ended and started anew. */
  readonly restarted: readonly string[];
  /** Names of the servers that go on as they are, but for what they offer. */
  readonly kept: readonly string[];
  /** What failed: `mcp:<server>`, the path of a file, or `.mcp.json` for discovery as a whole. */
  readonly errors: readonly LoadError[];
}

/** What a {@linkcode ConfigWatch} works with. */
export interface ConfigWatchOptions {
  /** Reads the files. */
  readonly reader: ConfigReader;
  /** What it gave when the servers were first connected. */
  readonly first: ConfigLook;
  /** Time. */
  readonly clock: Clock;
  /** Where failures of files are written, once each. */
  readonly log: Logger;
  /**
   * Called when a change has taken effect and what it started is connected or has failed, or when
   * files cannot be used any more. What it throws is logged.
   */
  readonly onReconciled?: ((report: ReconcileReport) => void) | undefined;
  /** In which each look has its turn, until it has taken effect. Default: nobody else is there. */
  readonly queue?: OneAtATime;
  /** How folders are watched. Default: by the system. */
  readonly folders?: Pick<FolderWatchOptions, "watchOne" | "isSilent">;
}

/** What brings servers to what was loaded. */
type Reconciles = Parameters<ManagerCompanion["start"]>[0];

/**
 * Watches everything that decides about a manager's servers, and lets each change take effect by
 * itself. Servers whose definitions say the same as before are not touched, whoever wrote the file.
 */
export class ConfigWatch implements ManagerCompanion {
  readonly #options: ConfigWatchOptions;
  readonly #tell: TellHost;
  /** What is known to be wrong: each is told once. */
  #known: ReadonlySet<string>;
  /** Why the last look failed; `null` when it did not. */
  #failure: string | null = null;
  #paths: ConfigLook["paths"];
  #running: { readonly queue: LookQueue; readonly folders: FolderWatch } | null = null;

  /** Nothing is watched yet. */
  constructor(options: ConfigWatchOptions) {
    this.#options = options;
    this.#tell = hostTeller(options.log);
    this.#paths = options.first.paths;
    this.#known = new Set(fileErrors(options.first.loaded).map(textOf));
  }

  /** Begins, unless it runs. What has changed since the first look then takes effect too. */
  start(manager: Reconciles): void {
    if (this.#running !== null) return;
    const { clock, log, queue: turns = new OneAtATime() } = this.#options;
    const folders = new FolderWatch({
      ...this.#options.folders,
      clock,
      log,
      onEvent: () => queue.trigger(),
    });
    const queue = new LookQueue({
      clock,
      look: (signal) => turns.run(() => this.#look(manager, folders, signal)),
    });
    this.#running = { queue, folders };
    folders.arm(this.#paths);
    queue.trigger();
  }

  /** Ends it; it can be started again. Bounded, idempotent, never rejects. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    running.folders.close();
    const waited = new AbortController();
    await Promise.race([
      running.queue.stop(),
      this.#options.clock.delay(STOP_MS, waited.signal),
    ]);
    waited.abort();
  }

  /** Looks, and lets what differs take effect. A failing look changes nothing. Never rejects. */
  async #look(
    manager: Reconciles,
    folders: FolderWatch,
    signal: AbortSignal,
  ): Promise<number | null> {
    try {
      const look = await this.#readAll(folders, signal);
      this.#failure = null;
      if (look.isTorn) return look.againIn;
      const done = await manager.reconcile(look.loaded, { signal });
      this.#told(done, this.#newErrors(fileErrors(look.loaded)), signal);
      return look.againIn;
    } catch (thrown) {
      if (signal.aborted || isAbortError(thrown)) return null;
      const error = toHotplugError(thrown, "discovery-failed").toInfo();
      if (this.#failure === error.message) return null;
      this.#failure = error.message;
      this.#options.log.log("error", "Cannot discover MCP servers", { error: error.message });
      this.#report({ ...NOTHING_DONE, errors: [{ path: ".mcp.json", error }] });
      return null;
    }
  }

  /** Reads the files; anew when folders came up meanwhile, in which something may have changed. */
  async #readAll(folders: FolderWatch, signal: AbortSignal): Promise<ConfigLook> {
    folders.arm(this.#paths);
    let look = await this.#options.reader.look(signal);
    for (let round = 1; round < MAX_ROUNDS && folders.arm(look.paths); round++) {
      look = await this.#options.reader.look(signal);
    }
    this.#paths = look.paths;
    return look;
  }

  /** Tells what was done, as soon as the servers that were started have settled. */
  #told(done: Reconciled, errors: readonly LoadError[], signal: AbortSignal): void {
    const { started, stopped, restarted, kept } = done;
    if (!done.changed && errors.length === 0) return;
    void done.settled.then((failed) => {
      if (signal.aborted) return;
      const servers = serverErrors(failed);
      for (const { path, error } of servers) {
        this.#options.log.log("error", "MCP unavailable", { path, error: error.message });
      }
      this.#report({ started, stopped, restarted, kept, errors: [...errors, ...servers] });
    });
  }

  /** The errors that were not there before. They are logged. */
  #newErrors(errors: readonly LoadError[]): readonly LoadError[] {
    const fresh = errors.filter((error) => !this.#known.has(textOf(error)));
    this.#known = new Set(errors.map(textOf));
    for (const { path, error } of fresh) {
      this.#options.log.log("warn", "A watched file cannot be used", {
        path,
        error: error.message,
      });
    }
    return fresh;
  }

  #report(report: ReconcileReport): void {
    this.#tell(() => this.#options.onReconciled?.(report));
  }
}

const NOTHING_DONE: ReconcileReport = {
  started: [],
  stopped: [],
  restarted: [],
  kept: [],
  errors: [],
};

function textOf({ path, error }: LoadError): string {
  return `${path}\0${error.message}`;
}
