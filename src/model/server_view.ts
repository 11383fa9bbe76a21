import type { TransportType } from "./definition.ts";
import type { ErrorInfo } from "./errors.ts";
import type { OtherDefinition, PlannedServer } from "./plan.ts";
import type { ServerState } from "./server_state.ts";
import type { Scope, SourceInfo } from "./source.ts";

/** Which generation of the protocol a connection speaks. */
export type ProtocolEra = "legacy" | "modern";

/** Where a row's definition stands, as shown. */
export interface SourceView {
  /** Stable name of the source. */
  readonly id: string;
  /** Name for humans. */
  readonly label: string;
  /** Who declared it. */
  readonly scope: Scope;
  /** Absolute path of the file, if any. */
  readonly path: string | null;
  /** Line of the entry, if known. */
  readonly line: number | null;
}

/** One row of the status table: everything that is known of one name. */
export interface ServerView {
  /** The server's name. */
  readonly name: string;
  /** What the definition says, as declared or inferred; `null` for `missing`. */
  readonly type: TransportType | null;
  /** The transport in use, which differs after a fall-back to SSE; `null` when not connected. */
  readonly transport: TransportType | null;
  /** Its state. */
  readonly state: ServerState;
  /** When the state began, in milliseconds since 1970; `null` for plan verdicts. */
  readonly since: number | null;
  /** The workspace's switch. */
  readonly workspace: "enabled" | "disabled";
  /** Whether this session paused it. */
  readonly paused: boolean;
  /** Number of tools offered; `null` when not known. */
  readonly tools: number | null;
  /** Number of resources listed; `null` when not known. */
  readonly resources: number | null;
  /** Number of prompts listed; `null` when not known. */
  readonly prompts: number | null;
  /** Where it is declared; `null` for `missing`. */
  readonly source: SourceView | null;
  /** Other definitions of the name. */
  readonly others: readonly {
    readonly source: SourceView;
    readonly state: OtherDefinition["state"];
    readonly of: string;
  }[];
  /** What the server calls itself. */
  readonly server: { readonly name: string; readonly version: string } | null;
  /** The protocol in use. */
  readonly protocol: { readonly era: ProtocolEra; readonly version: string } | null;
  /** Process id of a stdio server. */
  readonly pid: number | null;
  /** Milliseconds from start to connected or failed, or so far. */
  readonly elapsedMs: number | null;
  /** Age of the cached lists behind the counts; `null` when they are live. */
  readonly cachedAgeMs: number | null;
  /** Number of the running or last attempt, from 1; `null` before the first. */
  readonly attempt: number | null;
  /** When the next attempt starts, in milliseconds since 1970. */
  readonly nextAttemptAt: number | null;
  /** Why it is not connected. */
  readonly error: ErrorInfo | null;
  /** What the user should know though it works. */
  readonly warnings: readonly string[];
}

/** A source as it is shown. */
export function sourceView(source: SourceInfo): SourceView {
  const { id, label, scope, path, line } = source;
  return { id, label, scope, path, line };
}

/** The row of a name before anything was started: `disconnected` for what may run. */
export function plannedView(planned: PlannedServer): ServerView {
  const { verdict, definition } = planned;
  const config = definition?.config;
  return {
    name: planned.name,
    type: config?.type ?? (config?.url === undefined ? null : "streamable_http"),
    transport: null,
    state: verdict.state === "run" ? "disconnected" : verdict.state,
    since: null,
    workspace: planned.workspace,
    paused: false,
    tools: null,
    resources: null,
    prompts: null,
    source: definition === null ? null : sourceView(definition.source),
    others: planned.others.map(({ source, state, of }) => ({
      source: sourceView(source),
      state,
      of,
    })),
    server: null,
    protocol: null,
    pid: null,
    elapsedMs: null,
    cachedAgeMs: null,
    attempt: null,
    nextAttemptAt: null,
    error: verdict.state === "run" ? null : verdict.reason,
    warnings: [...(definition?.warnings ?? []), ...planned.warnings],
  };
}
