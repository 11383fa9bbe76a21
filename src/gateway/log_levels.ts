import { LOGGING_LEVELS, type LoggingLevel, loggingLevel } from "../model/log_message.ts";
import type { ServerView } from "../model/server_view.ts";
import type { Clock } from "../runtime/clock.ts";
import type { GatewaySession } from "./gateway_session.ts";

/** What a server was asked for. */
interface Asked {
  readonly level: LoggingLevel | null;
  readonly wasConnected: boolean;
}

/** Milliseconds that a host waits for servers to be told its level. */
const TOLD_MS = 2_000;

/** What a message counts as whose level is none. */
const USUAL: LoggingLevel = "info";

/** Tells whether a message is as grave as a level, or graver. Pure. */
export function isAsGrave(message: unknown, level: LoggingLevel): boolean {
  return rank(loggingLevel(message) ?? USUAL) >= rank(level);
}

function rank(level: LoggingLevel): number {
  return LOGGING_LEVELS.indexOf(level);
}

/** The least grave of levels; `null` when there is none. Pure. */
export function leastGrave(
  levels: Iterable<LoggingLevel | null | undefined>,
): LoggingLevel | null {
  let least: LoggingLevel | null = null;
  for (const level of levels) {
    if (level && (least === null || rank(level) < rank(least))) least = level;
  }
  return least;
}

/**
 * Asks servers for the log lines that hosts want: each for the least grave level that any of them
 * does. Hosts of the legacy era say it once, those of the modern era with each request. A server of
 * the legacy era has one level for all: what a request wanted stays asked of it.
 */
export class LogLevels {
  readonly #clock: Clock;
  readonly #wanted = new Map<object, LoggingLevel>();
  readonly #sessions = new Set<GatewaySession>();
  /** What requests have wanted, by server. */
  readonly #needed = new Map<string, LoggingLevel>();
  /** What each server of a session was asked for last, and whether it was connected then. */
  readonly #asked = new WeakMap<GatewaySession, Map<string, Asked>>();

  #wasAsked = false;

  /** Nobody wants anything. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Whether any server was ever asked for a level: it may then write more than by itself, also when
   * nobody wants that any more.
   */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** The least grave level that a host wants; `null` while none has said so. */
  get level(): LoggingLevel | null {
    return leastGrave(this.#wanted.values());
  }

  /** Notes what a host wants, `null` for nothing; resolves when servers have been told. Never rejects. */
  async set(host: object, level: LoggingLevel | null): Promise<void> {
    const before = this.level;
    if (level === null) this.#wanted.delete(host);
    else this.#wanted.set(host, level);
    this.#wasAsked ||= level !== null;
    if (this.level === before) return;
    await this.#within([...this.#sessions].flatMap((session) => this.#askAll(session)));
  }

  /** Notes what a running request wants of a server. Never rejects. */
  async need(
    session: GatewaySession,
    server: string,
    level: LoggingLevel,
    signal: AbortSignal,
  ): Promise<void> {
    // One of the modern era is told with the request itself.
    if (session.eraOf(server) === "modern") return;
    this.#wasAsked = true;
    const needed = leastGrave([this.#needed.get(server), level]);
    if (needed !== null) this.#needed.set(server, needed);
    await this.#within([this.#ask(session, server, session.eraOf(server) !== null)], signal);
  }

  /** Asks the servers of a session that has just been opened, until that ends. */
  adopt(session: GatewaySession, ended: AbortSignal): void {
    if (ended.aborted) return;
    this.#sessions.add(session);
    ended.addEventListener("abort", () => this.#sessions.delete(session), { once: true });
    void Promise.all(this.#askAll(session));
  }

  /** Notes that a server of a session may be a new one, or have another connection. */
  serverChanged(session: GatewaySession, { name, state }: ServerView): void {
    if (this.#sessions.has(session)) void this.#ask(session, name, state === "connected");
  }

  #askAll(session: GatewaySession): readonly Promise<void>[] {
    return session.servers().map(({ name, state }) =>
      this.#ask(session, name, state === "connected")
    );
  }

  /**
   * Asks a server for what is wanted of it, unless it was asked for that last. What it was asked for
   * while it was on its way may have come too late. Never rejects.
   */
  async #ask(session: GatewaySession, server: string, isConnected: boolean): Promise<void> {
    const asked = this.#asked.get(session) ?? new Map<string, Asked>();
    this.#asked.set(session, asked);
    const level = leastGrave([this.level, this.#needed.get(server)]);
    const last = asked.get(server) ?? { level: null, wasConnected: true };
    asked.set(server, { level, wasConnected: isConnected });
    if (level === last.level && (last.wasConnected || !isConnected)) return;
    // A server that refuses, or is away, writes what it likes.
    await session.setLogLevel(server, level).catch(() => {});
  }

  async #within(asks: readonly Promise<void>[], signal?: AbortSignal): Promise<void> {
    const waited = new AbortController();
    const over = signal === undefined ? waited.signal : AbortSignal.any([signal, waited.signal]);
    await Promise.race([Promise.all(asks), this.#clock.delay(TOLD_MS, over)]);
    waited.abort();
  }
}
