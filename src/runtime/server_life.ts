import type { MCPServerConnection } from "../model/connection.ts";
import { type ErrorInfo, type HotplugError, toHotplugError } from "../model/errors.ts";
import type { Listing, ListKind, ToolInfo } from "../model/listing.ts";
import { AttemptTimer } from "./attempt_timer.ts";
import { ConnectedServer } from "./connected_server.ts";
import { FailureHistory } from "./failure_history.ts";
import { noteFailure } from "./failure_note.ts";
import {
  type LifeEffect,
  type LifeEvent,
  type LifeState,
  SHOWN,
  transition,
} from "./life_cycle.ts";
import type { LifeParts } from "./life_parts.ts";
import { offerListed, offerRemembered, rememberFailure } from "./remembered_server.ts";
import { DRAIN_MS, RetiredConnections } from "./retired_connections.ts";
import { NO_LISTS, type ServerRow, startedRow } from "./server_row.ts";
import { beginStart, type ServerStart, type StartInput } from "./server_start.ts";
import { ShownRestart } from "./shown_restart.ts";
import type { GatedStart } from "./start_gate.ts";

/**
 * One server from its first start to its last end, by the table of `life_cycle.ts`: what happens is
 * turned into an event, the table says where it leads, and this does what the way there asks for.
 * There is at most one attempt, one connection and one timer at any time; what an attempt or a
 * connection brings after it was given up changes nothing any more.
 */
export class ServerLife {
  readonly #name: string;
  readonly #parts: LifeParts;
  readonly #history: FailureHistory;
  #state: LifeState = "off";
  #input: StartInput | null = null;
  #attempt: ServerStart | null = null;
  #followed: Promise<void> = Promise.resolve();
  #server: ConnectedServer | null = null;
  /** What the next attempt must wait for besides what it leaves behind itself. */
  #after: Promise<unknown> | null = null;
  /** Milliseconds until the next attempt. */
  #wait = 0;
  /** Whether nobody waits for the attempt any more. */
  #isLate = false;
  /** Lists that were announced as changed before the server was connected. */
  readonly #announced = new Set<ListKind>();
  readonly #timer: AttemptTimer;
  readonly #retired: RetiredConnections;
  readonly #shownRestart: ShownRestart;

  /** A server that has never been started. */
  constructor(name: string, parts: LifeParts) {
    this.#name = name;
    this.#parts = parts;
    const { clock } = parts.context;
    this.#timer = new AttemptTimer(clock);
    this.#retired = new RetiredConnections(clock, parts.registries.inFlight);
    this.#shownRestart = new ShownRestart(clock);
    this.#history = new FailureHistory(parts.autoReconnect, parts.random);
  }

  /** Where it stands. */
  get state(): LifeState {
    return this.#state;
  }

  /** What it was last started with; `null` before the first start. */
  get input(): StartInput | null {
    return this.#input;
  }

  /** The attempt that is under way, if any. */
  get attempt(): ServerStart | null {
    return this.#attempt;
  }

  /** Resolves when the attempt that is under way, if any, has ended. Never rejects. */
  get followed(): Promise<void> {
    return this.#followed;
  }

  /**
   * Starts it, or joins the attempt that is under way.
   * @param after What else must have ended before a process of it starts. Never rejects.
   */
  start(input: StartInput, after?: Promise<unknown>): GatedStart {
    if (this.#attempt === null) {
      this.#input = input;
      this.#after = after ?? null;
      // A restart that was ended is shown no longer.
      this.#shownRestart.forget();
      this.#apply("start");
    }
    return this.#gated();
  }

  /** Ends what there is of it at once and starts it anew, for everybody to see. */
  restart(input: StartInput): GatedStart {
    this.#shownRestart.begin();
    this.#retired.cut();
    return this.#anew(input, 0);
  }

  /**
   * Starts it anew, with the same definition or another. Calls that run over the old connection get
   * the time to end; a process waits for the end of the old one.
   */
  replace(input: StartInput): GatedStart {
    return this.#anew(input, DRAIN_MS);
  }

  #anew(input: StartInput, drainMs: number): GatedStart {
    this.#input = input;
    this.#apply("restart", {}, drainMs);
    // The host may have started it by another definition in its callback.
    offerListed(this.#input ?? input, this.#parts);
    return this.#gated();
  }

  /** Gives it another definition for its next attempt; what there is of it goes on. */
  exchange(input: StartInput): void {
    if (this.#input !== null) this.#input = input;
  }

  /** Notes that somebody calls it: what would be tried later by itself is tried now. */
  called(): void {
    if (this.#parts.autoReconnect) this.#apply("called");
  }

  /** Says that nobody waits for the attempt any more. */
  leave(): void {
    if (this.#attempt !== null) this.#isLate = true;
  }

  /** Notes that the server says of lists that they have changed. */
  announce(kinds: readonly ListKind[]): void {
    if (this.#server !== null) return this.#server.announce(kinds);
    for (const kind of kinds) this.#announced.add(kind);
  }

  /**
   * Ends it for good, or because it may not run. Bounded, idempotent, never rejects.
   * @param drainMs Milliseconds that running calls get; what waits for its calls is cut with 0.
   */
  async end(blocked: ErrorInfo | null, drainMs: number): Promise<void> {
    if (drainMs <= 0) this.#retired.cut();
    if (blocked !== null) this.#apply("blocked", { error: blocked });
    // Whoever ends it again need not be told again: a host may do so in the very callback.
    else if (this.#state !== "off") this.#apply("ended", {}, drainMs);
    await this.#retired.ended();
    await this.#parts.context.logs.kept(this.#name);
  }

  #gated(): GatedStart {
    return {
      done: this.#followed,
      known: this.#attempt?.known.then((entry) => entry !== null) ?? Promise.resolve(true),
    };
  }

  /**
   * Takes an event; one that changes nothing in this state is passed over. The row is told when
   * all else is in place, since the host may act in its callback, and the tools after it.
   * @param drainMs Milliseconds that the calls of a connection get which this ends.
   */
  #apply(event: LifeEvent, row: Partial<ServerRow> = {}, drainMs = 0): void {
    const next = transition(this.#state, event);
    if (next === null) return;
    this.#state = next.to;
    const { tools, registries: { rows }, onToolsChanged } = this.#parts;
    const hadTools = tools.toolsOf(this.#name) !== undefined;
    for (const effect of next.effects) this.#perform(effect, drainMs);
    if (next.effects.includes("open")) return;
    if (!next.effects.includes("withdraw")) {
      return rows.update(this.#name, { ...row, state: SHOWN[next.to] });
    }
    rows.disconnect(this.#name, row.error ?? null);
    if (hadTools) onToolsChanged();
  }

  #perform(effect: LifeEffect, drainMs: number): void {
    switch (effect) {
      case "close":
        return this.#close(drainMs);
      case "forget-failures":
        return this.#history.forget();
      case "unschedule":
        return this.#timer.clear();
      case "schedule":
        return this.#timer.set(this.#wait, () => this.#apply("due"));
      case "withdraw":
        this.#parts.tools.remove(this.#name);
        return;
      case "open":
        return this.#open();
    }
  }

  #open(): void {
    const input = this.#input;
    if (input === null) return;
    const { context, reading, registries: { rows, pendingConnections } } = this.#parts;
    // Both may need one port or one file.
    const start = beginStart(input, context, Promise.all([this.#retired.ended(), this.#after]));
    this.#after = null;
    this.#attempt = start;
    this.#announced.clear();
    const state = this.#state === "retrying" ? "retrying" : "connecting";
    this.#isLate = state === "retrying";
    this.#history.started(context.clock.ticks());
    pendingConnections.set(this.#name, start.connection);
    this.#followed = this.#follow(start);
    reading(this.#followed);
    rows.set(startedRow({ input, state, now: context.clock.now() }, rows.get(this.#name)));
    void offerRemembered(start, this.#parts, () => this.#wantsRemembered(start));
  }

  /** Lets go of the attempt and the connection that there are; they end in the background. */
  #close(drainMs: number): void {
    const { connections, pendingConnections, pendingToolLoads } = this.#parts.registries;
    const attempt = this.#attempt;
    const connection = connections.get(this.#name);
    this.#server?.end();
    this.#server = null;
    this.#attempt = null;
    pendingConnections.delete(this.#name);
    pendingToolLoads.delete(this.#name);
    connections.delete(this.#name);
    this.#retired.abandon(attempt, drainMs);
    this.#retired.retire(connection, drainMs);
  }

  /** Follows an attempt until its tools are there or it has failed. Never rejects. */
  async #follow(start: ServerStart): Promise<void> {
    const { rows, pendingConnections, pendingToolLoads } = this.#parts.registries;
    try {
      const connection = await start.connection;
      if (this.#attempt !== start) return;
      pendingConnections.delete(this.#name);
      pendingToolLoads.set(this.#name, connection);
      rows.update(this.#name, { connection });
      const tools = await start.tools;
      await this.#shownRestart.shown(start.signal);
      if (this.#attempt === start) this.#opened(start, connection, tools);
    } catch (thrown) {
      if (this.#attempt === start) this.#failed(start, toHotplugError(thrown));
    }
  }

  #settleAttempt(): void {
    this.#attempt = null;
    this.#shownRestart.forget();
    this.#parts.registries.pendingConnections.delete(this.#name);
    this.#parts.registries.pendingToolLoads.delete(this.#name);
  }

  #opened(
    start: ServerStart,
    connection: MCPServerConnection,
    tools: Listing<ToolInfo>,
  ): void {
    this.#settleAttempt();
    const { context, reading, writing } = this.#parts;
    const server: ConnectedServer = new ConnectedServer(
      start,
      connection,
      this.#parts,
      (error) => this.#lost(server, error),
    );
    this.#server = server;
    const isBack = this.#history.wasConnected;
    this.#history.opened(context.clock.ticks());
    const read = server.readOn(tools);
    reading(read);
    writing(read.then(() => server.remembered()));
    const next = transition(this.#state, "opened");
    if (next !== null) this.#state = next.to;
    server.register(tools);
    server.announce([...this.#announced]);
    if (isBack) this.#tellMissed();
  }

  /** Nobody knows which watched resources changed while the server was away: all of them count. */
  #tellMissed(): void {
    const { wishes, onResourceUpdated } = this.#parts.context;
    for (const uri of wishes.subscriptions(this.#name)) onResourceUpdated(this.#name, uri);
  }

  /** Whether what the cache remembers is the best that there is while an attempt goes on. */
  #wantsRemembered(start: ServerStart): boolean {
    const isOffered = this.#parts.tools.toolsOf(this.#name) !== undefined;
    return this.#attempt === start && !(this.#history.wasConnected && isOffered);
  }

  #failed(start: ServerStart, error: HotplugError): void {
    this.#settleAttempt();
    const { tools, onToolsChanged, writing, registries: { rows } } = this.#parts;
    const isFirst = !this.#isLate && !this.#history.wasConnected;
    this.#noteFailure(error);
    if (error.code === "blocked-by-policy" || error.code === "blocked-by-hook") return;
    if (isFirst && tools.toolsOf(this.#name) !== undefined && this.#state !== "connecting") {
      tools.remove(this.#name);
      rows.update(this.#name, { offered: null, lists: NO_LISTS });
      onToolsChanged();
    }
    writing(rememberFailure(start, this.#parts, error.toInfo()));
  }

  /** Notes that the connection has ended, other than by us. */
  #lost(server: ConnectedServer, error: HotplugError | null): void {
    if (this.#server !== server) return;
    this.#server = null;
    // Without an error its holder closed it, behind our back.
    if (error === null) return this.#apply("dropped", { error: null });
    this.#noteFailure(error);
  }

  #noteFailure(error: HotplugError): void {
    const from = {
      name: this.#name,
      input: this.#input,
      state: this.#state,
      isLate: this.#isLate,
    };
    const { event, wait, row } = noteFailure(from, error, this.#history, this.#parts);
    this.#wait = wait ?? 0;
    this.#apply(event, row);
  }
}
