import type { Finding } from "../doctor/finding.ts";
import type { EffectiveServer } from "../edit/effective.ts";
import type { EditedServer } from "../edit/outcome.ts";
import type { ErrorCode, ErrorInfo } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { ServerState } from "../model/server_state.ts";
import type { ServerView } from "../model/server_view.ts";
import type { SourceReport } from "../model/source.ts";
import type { ExplainedDefinition } from "../plan/explain.ts";
import type { ShownSession } from "./shown_session.ts";

export type { TrustDocument, UntrustDocument } from "./trust_documents.ts";

/** Version of the shape of every document below; grows when a field changes its meaning. */
export const SCHEMA_VERSION = 1 as const;

/** What every document of `--json` starts with, and why it is not whole. */
export interface Document {
  /** Version of the document's shape. */
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** Why the command failed; absent when it did not. The other fields hold what was reached. */
  readonly error?: ErrorDocument["error"];
}

/** What a failed command prints with `--json` when there is nothing else to print. */
export interface ErrorDocument {
  /** Version of the document's shape. */
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** Why it failed. */
  readonly error: {
    /** Stable name of the failure. */
    readonly code: ErrorCode;
    /** What happened. */
    readonly message: string;
    /** What to do about it. */
    readonly hint: string | null;
    /** More facts, such as a suggestion, causes, exit code and stderr of the server. */
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** How many rows stand where. */
export interface StatusSummary {
  /** Connected. */
  readonly connected: number;
  /** In `error` or `missing`, or `disconnected` with an error: its connection was lost. */
  readonly failed: number;
  /**
   * Connecting, retrying, waiting for the user (approval, authorisation, a value), or only not
   * started, as `disconnected` rows of `--cached`.
   */
  readonly waiting: number;
  /** What would not start: disabled, filtered, paused, blocked, duplicate. */
  readonly off: number;
  /** Tools of all rows, cached counts included. */
  readonly tools: number;
  /** With `--tokens`: what all tools cost a model's context, in tokens, estimated. */
  readonly tokens?: number;
  /** With `--tokens`: what the three tools of `mcp serve --lazy` cost in their place. */
  readonly lazyTokens?: number;
}

/** One row of `mcp status --json`. */
export interface StatusRow extends ServerView {
  /**
   * With `--tokens`: what its tools cost a model's context, in tokens, estimated; `null` when they
   * are not known.
   */
  readonly tokens?: number | null;
}

/** `mcp status --json`. */
export interface StatusDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Path of the store file, there or not. */
  readonly store: string;
  /** Path of the workspace file, there or not. */
  readonly workspaceConfig: string;
  /** One row a name, in order of precedence. */
  readonly servers: readonly StatusRow[];
  /** Every path that was looked at. */
  readonly sources: readonly SourceReport[];
  /** The rows counted. */
  readonly summary: StatusSummary;
  /** The live sessions of the workspace, the oldest first. */
  readonly sessions: readonly ShownSession[];
}

/** One server of a list command. */
export interface ListedServer {
  /** Its name. */
  readonly name: string;
  /** Its state; `disconnected` when it was answered from the cache. */
  readonly state: ServerState;
  /** Number of its items in the list; `null` when not known. */
  readonly tools: number | null;
  /** Age of the cached list in milliseconds; `null` when it was read just now, or never. */
  readonly cachedAgeMs: number | null;
  /** Why it gave nothing, or only what was cached. */
  readonly error: ErrorInfo | null;
  /** What the user should know though it works. */
  readonly warnings: readonly string[];
}

/** One tool of `mcp tools --json`. */
export interface ListedTool {
  /** What a model calls it by. */
  readonly publicName: string;
  /** Name of its server. */
  readonly server: string;
  /** The server's own name for it. */
  readonly name: string;
  /** Title for humans, if any. */
  readonly title: string | null;
  /** Description as received. */
  readonly description: string;
  /** JSON Schema of the arguments, as received. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of the structured result, as received. */
  readonly outputSchema: JsonObject | null;
  /** Behaviour hints, as received. */
  readonly annotations: JsonObject | null;
  /** Whether a host may call it without asking. */
  readonly autoApprove: boolean;
}

/** `mcp tools --json`. */
export interface ToolsDocument extends Document {
  /** Every tool, servers in plan order, tools in their server's order. */
  readonly tools: readonly ListedTool[];
  /** Every server that was asked for. */
  readonly servers: readonly ListedServer[];
}

/** One resource, template or prompt: what its server lists, and which server it is. */
export interface ListedEntry {
  /** Name of its server. */
  readonly server: string;
  /** Its `uri`, `uriTemplate` or `name`. */
  readonly key: string;
  /** Its name. */
  readonly name: string;
  /** Its description; empty when there is none. */
  readonly description: string;
  /** The item as received. */
  readonly item: JsonObject;
}

/** One server of `mcp resources --json` and `mcp prompts --json`. */
export type EntryServer = Omit<ListedServer, "tools">;

/** `mcp resources --json`. */
export interface ResourcesDocument extends Document {
  /** Every resource. */
  readonly resources: readonly ListedEntry[];
  /** Every resource template. */
  readonly resourceTemplates: readonly ListedEntry[];
  /** Every server that was asked. */
  readonly servers: readonly EntryServer[];
}

/** `mcp prompts --json`. */
export interface PromptsDocument extends Document {
  /** Every prompt. */
  readonly prompts: readonly ListedEntry[];
  /** Every server that was asked. */
  readonly servers: readonly EntryServer[];
}

/** `mcp call --json`. */
export interface CallDocument extends Document {
  /** Name of the server. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Whether the tool says that it failed. */
  readonly isError: boolean;
  /** The result as received. */
  readonly result: JsonObject;
  /** Absolute paths of the files that `--output` wrote, in the order of the content. */
  readonly files: readonly string[];
}

/** `mcp sources --json`. */
export interface SourcesDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Every path that was looked at. */
  readonly sources: readonly SourceReport[];
}

/** `mcp add|remove|enable|disable|import|export --json`. */
export interface EditDocument extends Document {
  /** `true`: nothing was written. */
  readonly dryRun: boolean;
  /** One for each server that was asked for. */
  readonly servers: readonly EditedServer[];
  /** Files that changed, or would. */
  readonly files: readonly {
    /** Absolute path. */
    readonly path: string;
    /** Whether there was no file before. */
    readonly created: boolean;
    /** Unified diff with secrets replaced; `null` without `--dry-run`. */
    readonly diff: string | null;
  }[];
  /** What stands for each name since; empty when nothing was written. */
  readonly effective: readonly EffectiveServer[];
}

/** `mcp explain --json`. */
export interface ExplainDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** The row of the name, as `mcp status` has it before anything is started. */
  readonly server: ServerView;
  /** Every definition of the name, strongest first. */
  readonly definitions: readonly ExplainedDefinition[];
  /** Definitions of other names that are the same connection. */
  readonly twins: readonly ExplainedDefinition[];
  /** Why it does not run, and what to do; `null` when it runs. */
  readonly next: ErrorInfo | null;
}

/** `mcp doctor --json`. */
export interface DoctorDocument extends Document {
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Names of the servers that were looked at, in plan order. */
  readonly servers: readonly string[];
  /** Names of the checks that were made. */
  readonly checks: readonly string[];
  /** What was found, the gravest first. */
  readonly findings: readonly Finding[];
  /** How many of each severity. */
  readonly summary: {
    /** What keeps something from working. */
    readonly errors: number;
    /** What may. */
    readonly warnings: number;
    /** What is good to know. */
    readonly infos: number;
  };
}
