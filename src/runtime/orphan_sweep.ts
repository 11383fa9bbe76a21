import type { Logger } from "../model/log.ts";
import { toHotplugError } from "../model/errors.ts";
import { endOrphans } from "../platform/orphans.ts";
import type { Clock } from "./clock.ts";

/** Milliseconds after the first start: the look at all processes must not slow that one down. */
const LATER_MS = 1000;

/**
 * Ends, once, what servers left behind whose host was killed before it could end them: a second
 * after the first start, or at the end when that comes first.
 */
export class OrphanSweep {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #records: string;
  readonly #waited = new AbortController();
  #scheduled = false;
  #sweep: Promise<void> | null = null;

  /**
   * Nothing is scheduled yet.
   * @param records Folder in which hosts record what they run.
   */
  constructor(clock: Clock, log: Logger, records: string) {
    this.#clock = clock;
    this.#log = log;
    this.#records = records;
  }

  /** Sweeps a second from now, unless {@linkcode now} is called before. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    void this.#clock.delay(LATER_MS, this.#waited.signal).then(() => this.now());
  }

  /** Sweeps, if a sweep was scheduled and has not been made. Never rejects. */
  now(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve();
    this.#waited.abort();
    this.#sweep ??= this.#run();
    return this.#sweep;
  }

  async #run(): Promise<void> {
    try {
      // By their marks first, which also what left its group carries.
      const marked = await endOrphans();
      // Loaded now, while the servers of this program end, and not while they start.
      const { endRecorded } = await import("../platform/recorded_orphans.ts");
      const ended = marked + await endRecorded(this.#records);
      if (ended > 0) this.#log.log("info", "Ended processes of hosts that are gone", { ended });
    } catch (error) {
      this.#log.log("warn", "Cannot look for processes of hosts that are gone", {
        cause: toHotplugError(error).message,
      });
    }
  }
}
