import type { FlagParametersForType, TypedFlagParameter } from "@stricli/core";
import type { CliContext } from "./context.ts";
import { parseDuration } from "./duration.ts";

/** Flags of every command that prints an answer. */
export interface AnswerFlags {
  /** Print one JSON document. */
  readonly json?: boolean | undefined;
}

/** Flags of every command that reads the configuration. */
export interface DiscoveryFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** Home folder whose agents' files are read, instead of the user's. */
  readonly home?: string | undefined;
  /** Run every definition without approval. */
  readonly trust?: boolean | undefined;
  /** Leave out the definitions of the project. */
  readonly noProject?: boolean | undefined;
  /** Keep Exa servers. */
  readonly exa?: boolean | undefined;
  /** Say more on stderr. */
  readonly verbose?: boolean | undefined;
  /** File that gets every message from and to servers; `-` is stderr. */
  readonly trace?: string | undefined;
}

/** Flags of the commands that list what servers offer. */
export interface ListFlags extends DiscoveryFlags {
  /** Ask every server anew, whatever is remembered. */
  readonly refresh?: boolean | undefined;
  /** Longest time to wait for servers, in milliseconds. Default {@linkcode LIST_WAIT_MS}. */
  readonly wait?: number | undefined;
}

/** How long a list command waits for servers by default, in milliseconds. */
export const LIST_WAIT_MS = 10_000;

/** Flags of `mcp trust` and `mcp untrust`. */
export interface TrustFlags extends AnswerFlags {
  /** Folder to work in, instead of the current one. */
  readonly cwd?: string | undefined;
  /** The workspace itself, as a working folder of servers. */
  readonly folder?: boolean | undefined;
  /** The hooks of the project. */
  readonly hooks?: boolean | undefined;
}

/** A switch that is off unless it is given. */
export function onOff(brief: string): TypedFlagParameter<boolean | undefined, CliContext> {
  return { kind: "boolean", optional: true, withNegated: false, brief };
}

/** A duration that is not set unless it is given. */
export function duration(brief: string): TypedFlagParameter<number | undefined, CliContext> {
  return { kind: "parsed", parse: parseDuration, optional: true, brief, placeholder: "time" };
}

/** A text that is not set unless it is given. */
export function text(
  brief: string,
  placeholder: string,
): TypedFlagParameter<string | undefined, CliContext> {
  return { kind: "parsed", parse: String, optional: true, brief, placeholder };
}

/** Texts, one for each time that the flag is given. */
export function texts(
  brief: string,
  placeholder: string,
): TypedFlagParameter<readonly string[] | undefined, CliContext> {
  return { kind: "parsed", parse: String, optional: true, variadic: true, brief, placeholder };
}

/** Declares {@linkcode DiscoveryFlags}. */
export const DISCOVERY_FLAGS: FlagParametersForType<
  Omit<DiscoveryFlags, "trace">,
  CliContext
> = {
  json: onOff("Print one JSON document on stdout"),
  cwd: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "Folder to work in [default: the current one]",
    placeholder: "folder",
  },
  home: text("Home folder whose agents' files are read [default: yours]", "folder"),
  trust: onOff("Run what the project defines without approval, this once"),
  noProject: onOff("Leave out what the project defines"),
  exa: onOff("Keep Exa servers, which are left out by default"),
  verbose: onOff("Say more: every path looked at, causes, a log on stderr"),
};

/** Declares `--trace`, for the commands that start servers. */
export const TRACE_FLAG: Pick<FlagParametersForType<DiscoveryFlags, CliContext>, "trace"> = {
  trace: text("File that gets every message from and to servers; - is stderr", "file"),
};

/** How the list commands answer, for their help. */
export const FROM_CACHE: string =
  `A list read within the last 15 minutes is shown as it is; only servers without
one are started, and waited for as long as --wait says.`;

/** Declares {@linkcode ListFlags}. */
export const LIST_FLAGS: FlagParametersForType<ListFlags, CliContext> = {
  ...DISCOVERY_FLAGS,
  ...TRACE_FLAG,
  refresh: onOff("Start every server and ask it anew"),
  wait: duration("Longest time to wait for servers, as 5s or 250ms [default: 10s]"),
};
