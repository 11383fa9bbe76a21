import { afterFailure } from "../cache/entry_update.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { ListKind } from "../model/listing.ts";
import type { ServerState } from "../model/server_state.ts";
import { ConnectedServer } from "./connected_server.ts";
import { ListMemory } from "./list_memory.ts";
import { offerTools, type RuntimeParts } from "./runtime_parts.ts";
import { NO_LISTS } from "./server_row.ts";
import { beginStart, type ServerStart, type StartInput } from "./server_start.ts";
import type { GatedStart } from "./start_gate.ts";

/**
 * Runs one attempt a server and follows each to its end: a connected server, or a failure. An
 * attempt that was abandoned meanwhile changes nothing any more.
 */
export class Attempts {
  readonly #running = new Map<string, ServerStart>();
  /** Lists that are still being read. */
  readonly #reads = new Set<Promise<void>>();
  /** What the cache does not hold yet. */
  readonly #writes = new Set<Promise<void>>();
  readonly #ends = new Map<ServerStart, Promise<void>>();
  readonly #connected = new Map<string, ConnectedServer>();
  /** Lists that servers announced as changed before they were connected. */
  readonly #announced = new WeakMap<ServerStart, Set<ListKind>>();
  readonly #parts: RuntimeParts;
  /** Attempts that nobody waits for any more: their failure is logged. */
  readonly #late = new WeakSet<ServerStart>();

  /** Attempts that fill the given parts. */
  constructor(parts: RuntimeParts) {
    this.#parts = parts;
  }

  /** Whether a server has a running attempt. */
  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Starts a server, or joins the attempt that is running. */
  begin(input: StartInput): GatedStart {
    const running = this.#running.get(input.name);
    if (running !== undefined) return this.#gated(running);
    const { context, registries: { rows, connections, pendingConnections } } = this.#parts;
    void connections.get(input.name)?.close();
    connections.delete(input.name);
    const start = beginStart(input, context);
    this.#running.set(input.name, start);
    pendingConnections.set(input.name, start.connection);
    const previous = rows.get(input.name);
    const now = context.clock.now();
    rows.set({
      ...input,
      state: "connecting",
      since: now,
      startedAt: now,
      elapsedMs: null,
      attempt: (previous?.attempt ?? 0) + 1,
      error: null,
      connection: null,
      lists: NO_LISTS,
      offered: null,
      cached: null,
      warnings: [],
    });
    this.#ends.set(start, this.#follow(start));
    void this.#showRemembered(start);
    return this.#gated(start);
  }

  /** Says that nobody waits for these servers any more: the start gate has been passed. */
  leave(names: readonly string[]): void {
    for (const name of names) {
      const start = this.#running.get(name);
      if (start !== undefined) this.#late.add(start);
    }
  }

  /** Notes that a server says of lists that they have changed. */
  announce(name: string, kinds: readonly ListKind[]): void {
    const start = this.#running.get(name);
    if (start === undefined) return this.#connected.get(name)?.announce(kinds);
    const announced = this.#announced.get(start) ?? new Set();
    for (const kind of kinds) announced.add(kind);
    this.#announced.set(start, announced);
  }

  /** Ends what goes on with a server: its attempt with what that opened, the reading of lists. */
  async abandon(name: string): Promise<void> {
    this.#connected.get(name)?.end();
    this.#connected.delete(name);
    const start = this.#running.get(name);
    if (start === undefined) return;
    this.#forget(start);
    await start.abandon();
  }

  /** Resolves when no attempt is running and all lists are read. Never rejects. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0 || this.#reads.size > 0) {
      await Promise.all([...this.#ends.values(), ...this.#reads]);
    }
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

  #gated(start: ServerStart): GatedStart {
    return {
      done: this.#ends.get(start) ?? Promise.resolve(),
      known: start.known.then((entry) => entry !== null),
    };
  }

  #isCurrent(start: ServerStart): boolean {
    return this.#running.get(start.input.name) === start;
  }

  /** Takes an attempt out of the registries: from now on its results are late ones. */
  #forget(start: ServerStart): void {
    const { name } = start.input;
    this.#running.delete(name);
    this.#parts.registries.pendingConnections.delete(name);
    this.#parts.registries.pendingToolLoads.delete(name);
  }

  /** Follows an attempt until its tools are there or it has failed. Never rejects. */
  async #follow(start: ServerStart): Promise<void> {
    const { name } = start.input;
    const { rows, pendingConnections, pendingToolLoads } = this.#parts.registries;
    try {
      const connection = await start.connection;
      if (!this.#isCurrent(start)) return;
      pendingConnections.delete(name);
      pendingToolLoads.set(name, connection);
      rows.update(name, { connection });
      const tools = await start.tools;
      if (!this.#isCurrent(start)) return;
      this.#forget(start);
      const server = new ConnectedServer(start, connection, this.#parts);
      this.#connected.set(name, server);
      const read = server.readOn(tools);
      countIn(this.#reads, read);
      countIn(this.#writes, read.then(() => server.remembered()));
      server.register(tools);
      server.announce([...this.#announced.get(start) ?? []]);
    } catch (thrown) {
      if (this.#isCurrent(start)) this.#fail(start, toHotplugError(thrown));
    } finally {
      this.#ends.delete(start);
    }
  }

  /** Offers what the cache remembers while the attempt goes on. Never rejects. */
  async #showRemembered(start: ServerStart): Promise<void> {
    const cached = await start.known;
    const { name } = start.input;
    const { rows } = this.#parts.registries;
    if (cached === null || !this.#isCurrent(start)) return;
    if (cached.tools === null) return rows.update(name, { cached });
    offerTools(
      this.#parts,
      start.input,
      cached.tools,
      "deferred",
      (offered) => rows.update(name, { cached, offered }),
    );
  }

  #fail(start: ServerStart, error: HotplugError): void {
    const { name } = start.input;
    const { tools, context, onToolsChanged, registries: { rows } } = this.#parts;
    this.#forget(start);
    const info = error.toInfo();
    const isLate = this.#late.has(start);
    const isBlocked = error.code === "blocked-by-policy";
    rows.finish(name, failedState(error), { error: info });
    if (isLate) {
      context.log.log("error", "Server failed", { server: name, error: error.message });
    }
    if ((!isLate || isBlocked) && tools.toolsOf(name) !== undefined) {
      tools.remove(name);
      rows.update(name, { offered: null });
      onToolsChanged();
    }
    // Whoever forbids a server says nothing about how it starts.
    if (isBlocked) return;
    const at = context.clock.now();
    const memory = new ListMemory(start, context);
    memory.change((entry) => afterFailure(entry, info, at));
    countIn(this.#writes, memory.written());
  }
}

/** The state of a server that did not start. */
function failedState({ code }: HotplugError): ServerState {
  if (code === "blocked-by-policy") return "blocked";
  return code === "needs-auth" ? "needs-auth" : "error";
}

/** Keeps work in a set until it is done. */
function countIn(set: Set<Promise<void>>, work: Promise<void>): void {
  set.add(work);
  void work.finally(() => set.delete(work));
}
