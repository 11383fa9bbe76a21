import type { ErrorInfo } from "../model/errors.ts";
import type { Plan, PlannedServer } from "../model/plan.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ListedItem } from "../model/listing.ts";
import type { Clock } from "./clock.ts";
import type { FurtherList } from "./further_lists.ts";
import { NO_LISTS, rowView, type ServerRow } from "./server_row.ts";

/**
 * The rows of all servers, in the plan's order and then in the order they came. Every change is
 * told to one listener.
 */
export class ServerRows {
  readonly #rows = new Map<string, ServerRow>();
  readonly #clock: Clock;
  readonly #onChange: (name: string) => void;
  #planned = new Map<string, PlannedServer>();

  /** An empty table. */
  constructor(clock: Clock, onChange: (name: string) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Takes the plan's rows as the frame in which the others stand. */
  adopt(plan: Plan): void {
    this.#planned = new Map(plan.servers.map((planned) => [planned.name, planned]));
  }

  /** Tells the listener of a name whose plan has changed. */
  tell(name: string): void {
    this.#onChange(name);
  }

  /** The row of a name that was started at least once. */
  get(name: string): ServerRow | undefined {
    return this.#rows.get(name);
  }

  /** The plan's row of a name. */
  planned(name: string): PlannedServer | undefined {
    return this.#planned.get(name);
  }

  /** What a server listed last, or the cache knows; empty for one that does not run. */
  listed(name: string, kind: FurtherList): readonly ListedItem[] {
    const row = this.#rows.get(name);
    return row?.lists[kind]?.items ?? row?.cached?.[kind] ?? [];
  }

  /** Sets a row. */
  set(row: ServerRow): void {
    this.#rows.set(row.name, row);
    this.#onChange(row.name);
  }

  /** Changes a row that is there; a change of state also sets `since`. */
  update(name: string, change: Partial<ServerRow>): void {
    const row = this.#rows.get(name);
    if (row === undefined) return;
    const changed = change.state !== undefined && change.state !== row.state;
    this.set({ ...row, ...(changed ? { since: this.#clock.now() } : {}), ...change });
  }

  /** Ends the running attempt: state, and the time it took. */
  finish(name: string, state: ServerState, change: Partial<ServerRow>): void {
    const row = this.#rows.get(name);
    if (row === undefined) return;
    this.update(name, { ...change, state, elapsedMs: this.#since(row.startedAt) });
  }

  /**
   * Sets a row back to one that is not connected and offers nothing, for the given reason; how long
   * its attempt took stays.
   */
  withdraw(name: string, state: ServerState, error: ErrorInfo | null): void {
    const row = this.#rows.get(name);
    if (row === undefined) return;
    this.update(name, {
      state,
      elapsedMs: row.elapsedMs ?? this.#since(row.startedAt),
      nextAttemptAt: null,
      error,
      connection: null,
      lists: NO_LISTS,
      offered: null,
      cached: null,
      warnings: [],
    });
  }

  /** Forgets a row; the plan's stays. */
  remove(name: string): void {
    this.#rows.delete(name);
  }

  /** Every name, in order. */
  names(): readonly string[] {
    return [...new Set([...this.#planned.keys(), ...this.#rows.keys()])];
  }

  /** A name's row as it is shown; `undefined` for an unknown name. */
  view(name: string): ServerView | undefined {
    const row = this.#rows.get(name);
    const planned = this.#planned.get(name) ?? null;
    if (row !== undefined) return rowView(row, planned, this.#clock.now());
    return planned === null ? undefined : plannedView(planned);
  }

  /** Milliseconds since a time; the machine's clock may have been set back meanwhile. */
  #since(time: number): number {
    return Math.max(0, this.#clock.now() - time);
  }
}
