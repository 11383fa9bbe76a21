import type { JsonValue } from "./json.ts";
import type { ErrorInfo } from "./errors.ts";
import type { Scope, SourceInfo } from "./source.ts";

/** How a server is reached. */
export type TransportType = "stdio" | "streamable_http" | "sse";

/**
 * What a server is started or reached with: the canonical form, which the store and `.mcp.json`
 * hold as it is and every other dialect is translated into. Strings may still hold placeholders.
 */
export interface ServerConfig {
  /** Absent with a `url`: Streamable HTTP is tried first, then SSE. */
  readonly type?: TransportType;
  /** Program of a stdio server. */
  readonly command?: string;
  /** Its arguments, in order. */
  readonly args?: readonly string[];
  /** Variables given to the process beyond what it inherits; `null` unsets one. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** File of `NAME=value` lines read into the environment, below `env`. */
  readonly envFile?: string;
  /** Working folder of the process. */
  readonly cwd?: string;
  /** Endpoint of a remote server. */
  readonly url?: string;
  /** HTTP headers sent to the server's own origin only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `false`: visible, never started. Default `true`. */
  readonly enabled?: boolean;
  /** Milliseconds for start and handshake. Default 30,000. */
  readonly startupTimeout?: number;
  /** Milliseconds for one call without progress. Default 60,000. */
  readonly callTimeout?: number;
  /** Globs of the tools to offer; absent offers all. */
  readonly enabledTools?: readonly string[];
  /** Globs of tools to leave out; wins over `enabledTools`. */
  readonly disabledTools?: readonly string[];
  /** Names of tools that the host may call without asking. */
  readonly autoApprove?: readonly string[];
  /** `auto` (default), `legacy`, or one protocol revision such as `2026-07-28`. */
  readonly protocol?: string;
  /**
   * Whether the process inherits the whole environment; absent follows the source. A list names
   * variables that it inherits, when they are set, beyond what the source lets through.
   */
  readonly inheritEnv?: boolean | readonly string[];
  /** Whether an HTTP gateway may share one connection among its clients. */
  readonly share?: boolean;
  /** Authorization settings, kept as written. */
  readonly auth?: JsonValue;
  /** OAuth settings, kept as written. */
  readonly oauth?: JsonValue;
  /** Free text for humans. */
  readonly description?: string;
}

/** How what switches a server off beside its entry is undone in a file. */
export type OffUndo =
  & {
    /** Whose file it is. */
    readonly scope: Scope;
  }
  & (
    | {
      /** A list of names, out of which these items are taken. */
      readonly kind: "items";
      /** Keys that lead to the list. */
      readonly keyPath: readonly string[];
      /** The items, as they stand there. */
      readonly items: readonly string[];
    }
    | {
      /** `value`: it is taken away; `entry`: it is another entry, which is switched on. */
      readonly kind: "value" | "entry";
      /** Keys and positions that lead to it. */
      readonly keyPath: readonly (string | number)[];
    }
  );

/** Something beside a server's own entry that switches it off. */
export interface OffSwitch {
  /** The list or key, as a message names it; `null` when the file has no name for it. */
  readonly list: string | null;
  /** Absolute path of its file. */
  readonly path: string;
  /** What the user can do about it by hand. */
  readonly remedy: string;
  /** How an edit of that file undoes it; absent when none can. */
  readonly undo?: OffUndo;
}

/** One server as one file declares it. */
export interface Definition {
  /** Its name in that file. */
  readonly name: string;
  /** What it is started with, in canonical form, placeholders unexpanded. */
  readonly config: ServerConfig;
  /** Where it is declared. */
  readonly source: SourceInfo;
  /**
   * What switches it off beside its entry, the first one first; absent when nothing does. Its
   * config then says that it is off, too.
   */
  readonly switchedOffBy?: readonly OffSwitch[];
  /** Why it can never run as written; empty when it is valid. */
  readonly problems: readonly ErrorInfo[];
  /** What its author should know though it runs. */
  readonly warnings: readonly string[];
}

/**
 * What {@linkcode ServerConfig} becomes just before the start: every placeholder replaced.
 * Holds secrets; it is never stored, logged or shown.
 */
export interface ResolvedConfig extends ServerConfig {
  /** Variables of the process beyond what it inherits, `envFile` included. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Headers, expanded. */
  readonly headers: Readonly<Record<string, string>>;
}
