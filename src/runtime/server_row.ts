import { listAge } from "../cache/freshness.ts";
import type { CacheEntry } from "../model/cache.ts";
import type { MCPServerConnection } from "../model/connection.ts";
import type { ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { ListedItem, Listing, ToolInfo } from "../model/listing.ts";
import type { PlannedServer } from "../model/plan.ts";
import type { ServerState } from "../model/server_state.ts";
import type { StartInput } from "./server_start.ts";
import { plannedView, type ServerView } from "../model/server_view.ts";
import type { SourceInfo } from "../model/source.ts";

/** What a server listed, read whole; `null` for a list that has not been read. */
export interface ServerLists {
  /** Its tools, before the definition's filters. */
  readonly tools: Listing<ToolInfo> | null;
  /** Its resources. */
  readonly resources: Listing<ListedItem> | null;
  /** Its resource templates. */
  readonly resourceTemplates: Listing<ListedItem> | null;
  /** Its prompts. */
  readonly prompts: Listing<ListedItem> | null;
}

/** No list read yet. */
export const NO_LISTS: ServerLists = {
  tools: null,
  resources: null,
  resourceTemplates: null,
  prompts: null,
};

/** Everything the manager knows of one server. Replaced whole on each change. */
export interface ServerRow {
  /** The server's name. */
  readonly name: string;
  /** What it is started with. */
  readonly config: ServerConfig;
  /** Where it is declared, if known. */
  readonly source: SourceInfo | undefined;
  /** Its state, as far as the manager has a say. */
  readonly state: ServerState;
  /** When the state began, in milliseconds since 1970. */
  readonly since: number;
  /** When the last attempt began. */
  readonly startedAt: number;
  /** Milliseconds that the last attempt took; `null` while it runs. */
  readonly elapsedMs: number | null;
  /** Number of the last attempt, from 1. */
  readonly attempt: number;
  /** When the next attempt begins by itself, in milliseconds since 1970; `null` when none does. */
  readonly nextAttemptAt: number | null;
  /** Why it is not connected. */
  readonly error: ErrorInfo | null;
  /** The connection of the last handshake, ended or not. */
  readonly connection: MCPServerConnection | null;
  /** What it listed over that connection. */
  readonly lists: ServerLists;
  /** Number of tools that it offers after the definition's filters; `null` when not known. */
  readonly offered: number | null;
  /** What the cache knows, while nothing better does. */
  readonly cached: CacheEntry | null;
  /** What went oddly without failing. */
  readonly warnings: readonly string[];
}

/** What a row begins with when an attempt begins. */
export interface StartedRow {
  /** What is started. */
  readonly input: StartInput;
  /** `connecting` for an attempt that somebody asked for, `retrying` for one of our own. */
  readonly state: "connecting" | "retrying";
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The time. */
  readonly now: number;
}

/**
 * The row of a server whose attempt begins. What it listed before stays in it until it lists anew:
 * tools of a server that is tried again, or started by another definition, stay on offer.
 */
export function startedRow(
  { input, state, attempt, now }: StartedRow,
  previous: ServerRow | undefined,
): ServerRow {
  const isSame = previous !== undefined && previous.config === input.config;
  const isOwn = state === "retrying" && previous !== undefined;
  return {
    ...input,
    state,
    since: previous?.state === state ? previous.since : now,
    startedAt: now,
    elapsedMs: null,
    attempt,
    nextAttemptAt: null,
    error: isOwn ? previous.error : null,
    connection: null,
    lists: previous?.lists ?? NO_LISTS,
    offered: previous?.offered ?? null,
    cached: isSame ? previous.cached : null,
    warnings: isSame ? previous.warnings : [],
  };
}

/** The row as it is shown, over the plan's row of the name if there is one. */
export function rowView(row: ServerRow, planned: PlannedServer | null, now: number): ServerView {
  const base = plannedView(planned ?? assumedPlan(row));
  const { connection, lists, cached } = row;
  const live = connection !== null && lists.tools !== null;
  const remembered = live ? null : cached;
  return {
    ...base,
    state: row.state,
    since: row.since,
    transport: connection?.transport ?? null,
    tools: row.offered,
    resources: lists.resources?.items.length ?? remembered?.resources?.length ?? null,
    prompts: lists.prompts?.items.length ?? remembered?.prompts?.length ?? null,
    server: connection?.server ?? remembered?.server ?? null,
    protocol: connection?.protocol ?? remembered?.protocol ?? null,
    pid: row.state === "connected" || row.state === "connecting" ? connection?.pid ?? null : null,
    elapsedMs: row.elapsedMs ?? Math.max(0, now - row.startedAt),
    cachedAgeMs: remembered === null ? null : listAge(remembered, now),
    attempt: row.attempt,
    nextAttemptAt: row.nextAttemptAt,
    error: row.error,
    warnings: [...base.warnings, ...row.warnings, ...listWarnings(row)],
  };
}

/** What the row's lists and connection report as odd. */
function listWarnings(row: ServerRow): readonly string[] {
  const { tools, resources, resourceTemplates, prompts } = row.lists;
  const warnings = [tools, resources, resourceTemplates, prompts]
    .flatMap((listing) => listing?.warnings ?? []);
  const { capabilities = {} } = row.connection ?? {};
  const offersElse = capabilities["tools"] === undefined &&
    (capabilities["resources"] !== undefined || capabilities["prompts"] !== undefined);
  const empty = row.state === "connected" && row.offered === 0 && tools !== null && !offersElse
    ? ["connected, but it offers no tools"]
    : [];
  return [...(row.connection?.warnings() ?? []), ...warnings, ...empty];
}

/** The plan's row for a server that was given to the manager without a plan. */
function assumedPlan(row: ServerRow): PlannedServer {
  return {
    name: row.name,
    definition: row.source === undefined ? null : {
      name: row.name,
      config: row.config,
      source: row.source,
      problems: [],
      warnings: [],
    },
    launch: row.config,
    verdict: { state: "run" },
    workspace: "enabled",
    others: [],
    warnings: [],
  };
}
