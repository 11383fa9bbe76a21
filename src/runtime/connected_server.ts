import {
  afterHandshake,
  afterItems,
  afterListChanged,
  afterTools,
  EMPTY_ENTRY,
} from "../cache/entry_update.ts";
import { toolChanges } from "../cache/tool_changes.ts";
import { listTools } from "../connection/listing.ts";
import { startupTimeout } from "../definitions/timeouts.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import { type HotplugError, toHotplugError } from "../model/errors.ts";
import type { Listing, ListKind, ToolInfo } from "../model/listing.ts";
import {
  FURTHER_LISTS,
  type FurtherList,
  readFurtherLists,
  warningsAfter,
} from "./further_lists.ts";
import { lifeOf, ListExpiry } from "./list_expiry.ts";
import { ListMemory } from "./list_memory.ts";
import { ListUpdates } from "./list_updates.ts";
import { offerTools, type RuntimeParts } from "./runtime_parts.ts";
import { listedTooLate } from "./unavailable.ts";
import { NO_LISTS } from "./server_row.ts";
import type { ServerStart } from "./server_start.ts";

/** How a warning of changed tools begins. */
const CHANGED = "Described or called differently than the last time:";

/** Warnings of changed tools that a row keeps: of a server that changes at each start, the newest. */
const MOST_CHANGES = 3;

/**
 * A server from the moment its tools were listed until its connection ends: reads its further
 * lists, reads lists anew that it says have changed, remembers them, and tells of its end.
 */
export class ConnectedServer {
  readonly #start: ServerStart;
  readonly #connection: MCPServerConnection;
  readonly #parts: RuntimeParts;
  readonly #memory: ListMemory;
  readonly #updates: ListUpdates;
  readonly #expiry: ListExpiry;
  readonly #ended = new AbortController();
  readonly #onLost: (error: HotplugError | null) => void;

  /**
   * A server that is not registered yet.
   * @param onLost Told once when its connection ends before {@linkcode end}; without an error its
   * holder closed it.
   */
  constructor(
    start: ServerStart,
    connection: MCPServerConnection,
    parts: RuntimeParts,
    onLost: (error: HotplugError | null) => void,
  ) {
    this.#start = start;
    this.#connection = connection;
    this.#parts = parts;
    this.#onLost = onLost;
    this.#memory = new ListMemory(start, parts.context);
    const { name } = start.input;
    const { clock } = parts.context;
    this.#expiry = new ListExpiry(clock, this.#ended.signal, (kind) => this.announce([kind]));
    this.#updates = new ListUpdates({
      clock,
      signal: this.#ended.signal,
      read: (kinds) => this.#readAgain(kinds),
      onFailure: (error) => {
        this.#memory.change((entry) => afterListChanged(entry ?? EMPTY_ENTRY));
        parts.context.log.log("warn", "Cannot read a changed list; the old one stays", {
          server: name,
          cause: toHotplugError(error).message,
        });
      },
    });
  }

  /** Registers the server as connected and offers its tools. The host may end it in a callback. */
  register(tools: Listing<ToolInfo>): void {
    const { input } = this.#start;
    const { connections, rows } = this.#parts.registries;
    connections.set(input.name, this.#connection);
    offerTools(this.#parts, input, tools.items, "live", (offered) => {
      const lists = { ...(rows.get(input.name)?.lists ?? NO_LISTS), tools };
      rows.finish(input.name, "connected", { lists, offered, error: null });
    });
    void this.#watch();
  }

  /** Notes that the server says of lists that they have changed. */
  announce(kinds: readonly ListKind[]): void {
    const read = new Set<ListKind>(["tools", ...this.#parts.furtherLists]);
    this.#updates.announce(kinds.filter((kind) => read.has(kind)));
  }

  /**
   * Reads all lists anew at once. Resolves when they are in place, or when the server has ended.
   * @throws {HotplugError} why the tools could not be read; `request-timeout` when it takes longer
   * than a start may.
   */
  async relist(): Promise<void> {
    const { name, config } = this.#start.input;
    const { furtherLists, context: { clock } } = this.#parts;
    const ms = startupTimeout(config);
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.#ended.signal]);
    try {
      await Promise.race([
        this.#updates.readNow(["tools", ...furtherLists]),
        clock.delay(ms, signal).then(() => {
          if (!signal.aborted) throw listedTooLate(name, ms);
        }),
      ]);
    } finally {
      done.abort();
    }
  }

  /** Stops reading lists. The connection is its holder's to close. */
  end(): void {
    this.#ended.abort();
  }

  /** Reads the further lists of the new connection. Never rejects. */
  async readOn(tools: Listing<ToolInfo>): Promise<void> {
    const { server, protocol } = this.#connection;
    const at = this.#parts.context.clock.now();
    this.#expiry.begin("tools", lifeOf("tools", tools, this.#connection.capabilities));
    this.#memory.change((entry) =>
      afterTools(afterHandshake(entry, { server, protocol, at }), tools, at)
    );
    await Promise.all([
      this.#tellChanges(tools.items),
      this.#readFurther(this.#parts.furtherLists),
    ]);
  }

  /** Warns of tools that say something else than the last time: whoever allowed them should look. */
  async #tellChanges(tools: readonly ToolInfo[]): Promise<void> {
    const { name } = this.#start.input;
    const { rows } = this.#parts.registries;
    const before = (await this.#start.known)?.tools ?? [];
    const { changed } = toolChanges(before, tools);
    const row = rows.get(name);
    if (changed.length === 0 || row === undefined || this.#ended.signal.aborted) return;
    const shown = changed.slice(0, 5).map((tool) => JSON.stringify(tool)).join(", ");
    const more = changed.length > 5 ? ` and ${changed.length - 5} more` : "";
    const warning = `${CHANGED} ${shown}${more}`;
    const others = row.warnings.filter((known) => !known.startsWith(CHANGED));
    const told = row.warnings.filter((known) => known.startsWith(CHANGED) && known !== warning);
    rows.update(name, { warnings: [...others, ...told.slice(1 - MOST_CHANGES), warning] });
  }

  /** Resolves when the cache holds what was read so far, or cannot. Never rejects. */
  remembered(): Promise<void> {
    return this.#memory.written();
  }

  /** Reads lists that have changed. Rejects when the tools cannot be read. */
  async #readAgain(kinds: ReadonlySet<ListKind>): Promise<void> {
    const further = FURTHER_LISTS.filter((kind) => kinds.has(kind));
    await Promise.all([
      kinds.has("tools") ? this.#readTools() : undefined,
      this.#readFurther(further),
    ]);
  }

  async #readTools(): Promise<void> {
    const { input } = this.#start;
    const { registries, context } = this.#parts;
    const connection = this.#connection;
    const tools = await context.telemetry.around(
      { method: "tools/list", server: input.name, connection },
      ({ meta }) =>
        listTools(connection, {
          signal: this.#ended.signal,
          timeout: startupTimeout(input.config),
          meta,
        }),
    );
    if (this.#ended.signal.aborted) return;
    const at = context.clock.now();
    this.#expiry.begin("tools", lifeOf("tools", tools, this.#connection.capabilities));
    this.#memory.change((entry) => afterTools(entry, tools, at));
    offerTools(this.#parts, input, tools.items, "live", (offered) => {
      const lists = { ...(registries.rows.get(input.name)?.lists ?? NO_LISTS), tools };
      registries.rows.update(input.name, { lists, offered });
    });
  }

  async #readFurther(kinds: readonly FurtherList[]): Promise<void> {
    const { name, config } = this.#start.input;
    const { rows } = this.#parts.registries;
    const { lists, warnings } = await readFurtherLists(this.#connection, kinds, {
      timeout: startupTimeout(config),
      signal: this.#ended.signal,
      telemetry: this.#parts.context.telemetry,
    });
    const row = rows.get(name);
    if (this.#ended.signal.aborted || row === undefined) return;
    rows.update(name, {
      lists: { ...row.lists, ...lists },
      warnings: warningsAfter(row.warnings, kinds, warnings),
    });
    const at = this.#parts.context.clock.now();
    for (const kind of kinds) {
      const listing = lists[kind];
      if (listing === undefined) continue;
      this.#expiry.begin(kind, lifeOf(kind, listing, this.#connection.capabilities));
      this.#memory.change((entry) => afterItems(entry, kind, listing, at));
    }
  }

  /** Tells of the end of the connection. Never rejects. */
  async #watch(): Promise<void> {
    const error = await this.#connection.closed;
    if (this.#ended.signal.aborted) return;
    this.end();
    this.#onLost(error);
  }
}
