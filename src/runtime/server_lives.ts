import type { ErrorInfo, HotplugError } from "../model/errors.ts";
import type { ListKind } from "../model/listing.ts";
import type { RuntimeParts } from "./runtime_parts.ts";
import { ServerLife } from "./server_life.ts";
import type { StartInput } from "./server_start.ts";
import type { GatedStart } from "./start_gate.ts";

/** How lives are lived. */
export interface LivesOptions {
  /** Whether what drops or fails is tried again by itself. */
  readonly autoReconnect: boolean;
  /** Spreads the waits between attempts, from 0 to 1. */
  readonly random: () => number;
}

/** The life of every server, and what is still going on in them. */
export class ServerLives {
  readonly #lives = new Map<string, ServerLife>();
  readonly #parts: RuntimeParts;
  readonly #options: LivesOptions;
  /** Attempts that are under way and lists that are being read. */
  readonly #reads = new Set<Promise<void>>();
  /** What the cache does not hold yet. */
  readonly #writes = new Set<Promise<void>>();

  /** No server has been started. */
  constructor(parts: RuntimeParts, options: LivesOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Whether a server has an attempt under way. */
  isRunning(name: string): boolean {
    return (this.#lives.get(name)?.links.attempt ?? null) !== null;
  }

  /** Whether a connection that a server has left behind still waits for its last calls. */
  isDraining(name: string): boolean {
    return this.#lives.get(name)?.links.retired.isDraining ?? false;
  }

  /** Resolves when the attempt of a server that is under way, if any, has ended. Never rejects. */
  async attemptOf(name: string): Promise<void> {
    await this.#lives.get(name)?.links.followed;
  }

  /** What a server was last started with; `null` when it is unknown. */
  inputOf(name: string): StartInput | null {
    return this.#lives.get(name)?.input ?? null;
  }

  /**
   * Starts a server, or joins the attempt that is under way.
   * @param after What else must have ended before a process of it starts. Never rejects.
   */
  begin(input: StartInput, after?: Promise<unknown>): GatedStart {
    return this.#life(input.name).start(input, after);
  }

  /** Ends what there is of a server at once and starts it anew; a retry counts from one again. */
  restart(input: StartInput, isRetry: boolean): GatedStart {
    return this.#life(input.name).restart(input, isRetry);
  }

  /**
   * Starts a server anew, perhaps by a changed definition: the tools that are on offer stay so until
   * the new ones are read, running calls get the time to end over the old connection, and new ones
   * wait for the new one.
   * @param isAsked Whether somebody asks for this very server: its attempts count from one again.
   */
  replace(input: StartInput, isAsked: boolean): GatedStart {
    return this.#life(input.name).replace(input, isAsked);
  }

  /** Gives a server that goes on another definition, for its next attempt. */
  exchange(input: StartInput): void {
    this.#lives.get(input.name)?.exchange(input);
  }

  /** Notes that somebody calls a server: what would be tried later by itself is tried now. */
  called(name: string): void {
    this.#lives.get(name)?.called();
  }

  /** Says that nobody waits for these servers any more: the start gate has been passed. */
  leave(names: readonly string[]): void {
    for (const name of names) this.#lives.get(name)?.leave();
  }

  /** Notes that a server says of lists that they have changed. */
  announce(name: string, kinds: readonly ListKind[]): void {
    if (kinds.length > 0) this.#lives.get(name)?.links.announce(kinds);
  }

  /**
   * Reads the lists of a server anew at once, if it is connected. Resolves when they are in place.
   * @throws {HotplugError} why they could not be read; the old ones stay.
   */
  async relist(name: string): Promise<void> {
    await this.#lives.get(name)?.links.relist();
  }

  /** Takes the tools of a server off the offer, since their names are taken. */
  refuse(name: string, error: HotplugError): void {
    this.#lives.get(name)?.refuse(error);
  }

  /** Servers that wait for the time of their next attempt. */
  waiting(): readonly string[] {
    return [...this.#lives].flatMap(([name, life]) => life.state === "waiting" ? [name] : []);
  }

  /**
   * Ends a server: its attempt, its connection, its tools. Bounded, idempotent, never rejects.
   *
   * @param blocked Why it may not run any more: its row then says so, and its source stays known.
   * @param drainMs Milliseconds that its running calls get. Everything else ends at once.
   */
  async end(name: string, blocked: ErrorInfo | null = null, drainMs = 0): Promise<void> {
    if (blocked === null) this.#parts.registries.sources.delete(name);
    await this.#lives.get(name)?.end(blocked, drainMs);
  }

  /** Every server that was started and not forgotten since. */
  names(): readonly string[] {
    return [...this.#lives.keys()];
  }

  /** Forgets a server that has ended, and what it was started with; `false` when it lives. */
  forget(name: string): boolean {
    const life = this.#lives.get(name);
    if (life !== undefined && life.state !== "off") return false;
    this.#lives.delete(name);
    this.#parts.context.launches.remove(name);
    return true;
  }

  /** Resolves when no attempt is under way and all lists are read. Never rejects. */
  async settled(): Promise<void> {
    while (this.#reads.size > 0) await Promise.all(this.#reads);
  }

  /**
   * Resolves when it is settled and the cache holds what was read, at most after so many
   * milliseconds. Never rejects.
   */
  async finished(ms: number): Promise<void> {
    const waited = new AbortController();
    await Promise.race([
      this.settled().then(() => Promise.all(this.#writes)),
      this.#parts.context.clock.delay(ms, waited.signal),
    ]);
    waited.abort();
  }

  #life(name: string): ServerLife {
    let life = this.#lives.get(name);
    if (life === undefined) {
      life = new ServerLife(name, {
        ...this.#parts,
        ...this.#options,
        reading: (work) => countIn(this.#reads, work),
        writing: (work) => countIn(this.#writes, work),
      });
      this.#lives.set(name, life);
    }
    return life;
  }
}

/** Keeps work in a set until it is done. */
function countIn(set: Set<Promise<void>>, work: Promise<void>): void {
  set.add(work);
  void work.finally(() => set.delete(work));
}
