import type { ServerConfig } from "./definition.ts";
import type { ErrorInfo } from "./errors.ts";
import type { SourceInfo } from "./source.ts";

/**
 * A server as it is about to be started or called, for whoever has a say in that. Placeholders are
 * replaced, so that it may hold secrets: it is never stored, logged or shown.
 */
export interface RunCandidate {
  /** The server's name. */
  readonly name: string;
  /** Where it is declared, if known. */
  readonly source: SourceInfo | undefined;
  /** How it is reached. */
  readonly transport: "stdio" | "remote";
  /** Program as it is written; `null` for a remote server. */
  readonly command: string | null;
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Absolute path of the program; `null` when none was found, and for a remote server. */
  readonly program: string | null;
  /** Address; `null` for a local server. */
  readonly url: string | null;
}

/**
 * Says why a server may not run, or `null` when it may. Asked before each start and before each
 * call, so it should be quick. Whatever its code, the answer stands in the row of the server as
 * `blocked-by-policy`. What it throws counts as a no.
 */
export type MayRun = (candidate: RunCandidate) => Promise<ErrorInfo | null> | ErrorInfo | null;

/** How a definition is reached, valid or not: without a `type`, a command means a process. */
export function transportKind({ type, command, url }: ServerConfig): "stdio" | "remote" {
  const isStdio = type === "stdio" ||
    (type === undefined && (command !== undefined || url === undefined));
  return isStdio ? "stdio" : "remote";
}
