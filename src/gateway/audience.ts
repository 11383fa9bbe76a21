import type { JsonObject } from "../model/json.ts";
import type { ServerView } from "../model/server_view.ts";
import type { RefreshOutcome, ToolSet } from "../model/tool_set.ts";
import type { AskableHost } from "./bridge/session_bridge.ts";
import type { Host } from "./host.ts";
import type { ListVersions } from "./list_watch.ts";
import type { ChangingList } from "./listen_streams.ts";

/** Who is told of changes behind a gateway, and asked for what servers need. */
export interface GatewayListener extends Omit<AskableHost, "capabilities"> {
  /** Which host it is. */
  readonly host: Host;
  /** The tool set is another one; `isLast` tells as long as there is no newer one. */
  refresh(toolSet: ToolSet, isLast: () => boolean): Promise<RefreshOutcome>;
  /** Prompts or resources are others, as the host sees them. */
  listChanged(list: ChangingList, versions: ListVersions): void;
  /** The row of a server has changed. */
  serverChanged(view: ServerView): void;
  /** A server has written to its log, because of no request that is known: the params as received. */
  logged(server: string, params: JsonObject): void;
}

/** Tells which hosts something concerns. */
export type Concerns = (listener: GatewayListener) => boolean;

/** Something that concerns every host. */
export const EVERYBODY: Concerns = (): boolean => true;

/** What hosts make of a refresh; the first that one of them did counts for all. */
const WORST_FIRST: readonly RefreshOutcome[] = ["failed", "ignored", "announced", "refreshed"];

/** What the least refreshed of several hosts made of a refresh; `announced` without any. Pure. */
export function worstOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? "announced";
}

/** The hosts that are there. */
export class Audience {
  readonly #listeners = new Set<GatewayListener>();

  /** Adds a host; gives what takes it away. */
  add(listener: GatewayListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether somebody is there whom something concerns. */
  has(concerns: Concerns): boolean {
    return this.concerned(concerns).length > 0;
  }

  /** Those whom something concerns. */
  concerned(concerns: Concerns): readonly GatewayListener[] {
    return [...this.#listeners].filter(concerns);
  }

  /** Those of the legacy era whom something concerns, who can be asked at any time. */
  askable(concerns: Concerns): readonly AskableHost[] {
    return this.concerned(concerns).flatMap(({ host: { opening }, ask, tell }) =>
      opening === null ? [] : [{ capabilities: opening.capabilities, ask, tell }]
    );
  }

  /** Gives them a line of a server's log. */
  logged(server: string, params: JsonObject, concerns: Concerns): void {
    for (const listener of this.concerned(concerns)) listener.logged(server, params);
  }

  /** Tells them of lists that have changed. */
  listChanged(list: ChangingList, versions: ListVersions, concerns: Concerns): void {
    for (const listener of this.concerned(concerns)) listener.listChanged(list, versions);
  }

  /** Tells them of a server's row. */
  serverChanged(view: ServerView, concerns: Concerns): void {
    for (const listener of this.concerned(concerns)) listener.serverChanged(view);
  }
}
