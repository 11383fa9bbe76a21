import type { MCPServerConnection } from "../model/connection.ts";
import type { ErrorInfo, HotplugError } from "../model/errors.ts";
import type { Listing, ToolInfo } from "../model/listing.ts";
import { AttemptTimer } from "./attempt_timer.ts";
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
import { DRAIN_MS } from "./retired_connections.ts";
import { ServerLinks } from "./server_links.ts";
import { NO_LISTS, type ServerRow, startedRow } from "./server_row.ts";
import type { ServerStart, StartInput } from "./server_start.ts";
import type { GatedStart } from "./start_gate.ts";

/**
 * One server from its first start to its last end, by the table of `life_cycle.ts`: what happens is
 * turned into an event, the table says where it leads, and this does what the way there asks for.
 * There is at most one attempt, one connection and one timer at any time.
 */
export class ServerLife {
  readonly #name: string;
  readonly #parts: LifeParts;
  readonly #history: FailureHistory;
  #state: LifeState = "off";
  #input: StartInput | null = null;
  /** What the next attempt must wait for besides what it leaves behind itself. */
  #after: Promise<unknown> | null = null;
  /** Milliseconds until the next attempt. */
  #wait = 0;
  /** Whether nobody waits for the attempt any more. */
  #isLate = false;
  readonly #timer: AttemptTimer;
  /** Its attempt and its connection. */
  readonly links: ServerLinks;

  /** A server that has never been started. */
  constructor(name: string, parts: LifeParts) {
    this.#name = name;
    this.#parts = parts;
    this.#timer = new AttemptTimer(parts.context.clock);
    this.links = new ServerLinks(name, parts, {
      onListed: (start, connection, tools) => this.#listed(start, connection, tools),
      onFailed: (start, error) => this.#failed(start, error),
      // Without an error its holder closed it, behind our back.
      onLost: (error) =>
        error === null ? this.#apply("dropped", { error: null }) : this.#noteFailure(error),
    });
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

  /**
   * Starts it, or joins the attempt that is under way.
   * @param after What else must have ended before a process of it starts. Never rejects.
   */
  start(input: StartInput, after?: Promise<unknown>): GatedStart {
    if (this.links.attempt === null) {
      this.#input = input;
      this.#after = after ?? null;
      // A restart that was ended is shown no longer.
      this.links.shownRestart.forget();
      this.#apply("start");
    }
    return this.links.gated();
  }

  /** Ends what there is of it at once and starts it anew, for everybody to see. */
  restart(input: StartInput, isRetry: boolean): GatedStart {
    this.links.shownRestart.begin();
    this.links.retired.cut();
    if (isRetry) this.#history.countAnew();
    return this.#anew(input, 0);
  }

  /**
   * Starts it anew, by the same definition or another; one that is asked for counts from one again.
   * Running calls get the time to end, and a process waits for the end of the old one.
   */
  replace(input: StartInput, isAsked: boolean): GatedStart {
    if (isAsked) this.#history.countAnew();
    return this.#anew(input, DRAIN_MS);
  }

  #anew(input: StartInput, drainMs: number): GatedStart {
    this.#input = input;
    this.#apply("restart", {}, drainMs);
    // The host may have started it by another definition in its callback.
    offerListed(this.#input ?? input, this.#parts);
    return this.links.gated();
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
    if (this.links.attempt !== null) this.#isLate = true;
  }

  /**
   * Takes its tools off the offer, since their names are taken. One that is connected is ended; any
   * other goes on, and is judged anew when it has listed.
   */
  refuse(error: HotplugError): void {
    if (this.#state === "connected") return this.#clashed(error);
    if ((this.#parts.registries.rows.get(this.#name)?.offered ?? null) !== null) this.#withdraw();
  }

  /** Takes the tools off the offer of one that is not connected and goes on all the same. */
  #withdraw(): void {
    const { tools, onToolsChanged, registries: { rows } } = this.#parts;
    const had = tools.remove(this.#name);
    rows.update(this.#name, { offered: null, lists: NO_LISTS });
    if (had) onToolsChanged();
  }

  #clashed(error: HotplugError): void {
    this.links.shownRestart.forget();
    this.#parts.context.log.log("warn", "Server is not offered", {
      server: this.#name,
      error: error.message,
    });
    this.#apply("clashed", { error: error.toInfo() }, DRAIN_MS);
  }

  /**
   * Ends it for good, or because it may not run. Bounded, idempotent, never rejects.
   * @param drainMs Milliseconds that running calls get; what waits for its calls is cut with 0.
   */
  async end(blocked: ErrorInfo | null, drainMs: number): Promise<void> {
    if (drainMs <= 0) this.links.retired.cut();
    if (blocked !== null) this.#apply("blocked", { error: blocked });
    // Whoever ends it again need not be told again: a host may do so in the very callback.
    else if (this.#state !== "off") this.#apply("ended", {}, drainMs);
    await this.links.retired.ended();
    await this.#parts.context.logs.kept(this.#name);
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
    if (next.to === "blocked") this.links.retired.cut();
    if (next.effects.includes("open")) return;
    if (!next.effects.includes("withdraw")) {
      return rows.update(this.#name, { ...row, state: SHOWN[next.to] });
    }
    rows.withdraw(this.#name, SHOWN[next.to], row.error ?? null);
    if (hadTools) onToolsChanged();
  }

  #perform(effect: LifeEffect, drainMs: number): void {
    switch (effect) {
      case "close":
        return this.links.close(drainMs);
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
    const { context: { clock }, registries: { rows } } = this.#parts;
    const state = this.#state === "retrying" ? "retrying" : "connecting";
    this.#isLate = state === "retrying";
    const attempt = this.#history.started(clock.ticks());
    const start = this.links.open(input, this.#after);
    this.#after = null;
    rows.set(startedRow({ input, state, attempt, now: clock.now() }, rows.get(this.#name)));
    void offerRemembered(start, this.#parts, () => this.#wantsRemembered(start));
  }

  /** Offers what the attempt has listed, if the names are free. */
  #listed(start: ServerStart, connection: MCPServerConnection, tools: Listing<ToolInfo>): void {
    const { tools: offer, registries: { rows }, context } = this.#parts;
    const { config } = rows.get(this.#name) ?? start.input;
    const clash = offer.refusalOf(this.#name, { config, tools: tools.items });
    if (clash !== null) return this.#clashed(clash);
    this.links.connect(start, connection, tools);
    const isBack = this.#history.wasConnected;
    this.#history.opened(context.clock.ticks());
    const next = transition(this.#state, "opened");
    if (next !== null) this.#state = next.to;
    this.links.register(tools, isBack);
  }

  /** Whether what the cache remembers is the best that there is while an attempt goes on. */
  #wantsRemembered(start: ServerStart): boolean {
    const isOffered = this.#parts.tools.toolsOf(this.#name) !== undefined;
    return this.links.attempt === start && !(this.#history.wasConnected && isOffered);
  }

  #failed(start: ServerStart, error: HotplugError): void {
    this.links.settle();
    const { tools, writing } = this.#parts;
    const isFirst = !this.#isLate && !this.#history.wasConnected;
    this.#noteFailure(error);
    if (error.code === "blocked-by-policy" || error.code === "blocked-by-hook") return;
    const isOffered = tools.toolsOf(this.#name) !== undefined;
    if (isFirst && isOffered && this.#state !== "connecting") this.#withdraw();
    writing(rememberFailure(start, this.#parts, error.toInfo()));
  }

  #noteFailure(error: HotplugError): void {
    const from = { name: this.#name, input: this.#input, state: this.#state, isLate: this.#isLate };
    const { event, wait, row } = noteFailure(from, error, this.#history, this.#parts);
    this.#wait = wait ?? 0;
    this.#apply(event, row);
  }
}
