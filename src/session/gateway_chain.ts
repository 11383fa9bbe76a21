import process from "node:process";
import { newSessionId } from "../control/session_id.ts";
import { type OwnProgram, startsOwnGateway } from "../definitions/own_gateway.ts";
import type { ServerConfig } from "../model/definition.ts";
import { LONGEST_CHAIN } from "../model/session_chain.ts";
import { sha256HexNow } from "../tools/sha256.ts";

/**
 * The variable that tells a process through which servers it was started: one link a session, the
 * outermost first. A server of one session may hold a session itself, and without this it could
 * start itself over and over.
 */
export const CHAIN_VARIABLE = "HOTPLUG_CHAIN";

/** One session that a process was started inside of: `<definition>.<session>.<workspace>`. */
export interface ChainLink {
  /** What the definition is known by through which it started the next: its name may differ. */
  readonly definition: string;
  /** Its id; empty when it is not told. */
  readonly session: string;
  /** What its workspace is known by; empty when it is not told. */
  readonly workspace: string;
}

/** A session as its servers are told of it. */
export interface ChainedSession {
  /** Its random id. */
  readonly id: string;
  /** Absolute path of its workspace. */
  readonly workspacePath: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The links of the chain that a process was started through. Pure. */
export function readChain(env: Variables): readonly ChainLink[] {
  return (env[CHAIN_VARIABLE] ?? "").split(",").map((link) => link.trim())
    .filter((link) => link !== "").map((link) => {
      const [definition = "", session = "", workspace = ""] = link.split(".");
      return { definition, session, workspace };
    });
}

/**
 * The ids that a session says in its requests: of those that its process was started inside of, and
 * a new one of its own.
 */
export function newChain(env: Variables = process.env): readonly string[] {
  return [...chainIds(readChain(env)), newSessionId()];
}

/** The ids of a chain's sessions, the outermost first. Pure. */
export function chainIds(chain: readonly ChainLink[]): readonly string[] {
  return chain.flatMap(({ session }) => session === "" ? [] : [session]);
}

/**
 * The rule of {@linkcode chainRefusal} for this process.
 * @param env Its environment. Default: the one that it was started with.
 */
export function chainRule(
  env: Variables = process.env,
): (config: ServerConfig | null) => string | null {
  const chain = readChain(env);
  const own = { executable: process.execPath, script: process.argv[1] ?? null };
  return (config) => chainRefusal(config ?? {}, { chain, own });
}

/** What the process of a server that a session starts is told of its chain. */
export function childChain(
  env: Variables,
  session: ChainedSession,
): (config: ServerConfig) => Readonly<Record<string, string>> {
  const outer = env[CHAIN_VARIABLE] ?? "";
  return (config) => ({ [CHAIN_VARIABLE]: chainOf(outer, config, session) });
}

/** The chain that a server's process is told of, and all that it starts. Pure. */
export function chainOf(
  outer: string,
  config: ServerConfig,
  { id, workspacePath }: ChainedSession,
): string {
  const link = [definitionMark(config), id, workspaceMark(workspacePath)].join(".");
  return outer.trim() === "" ? link : `${outer},${link}`;
}

/**
 * Why a session may not start a server, in one sentence without a final stop; `null` when it may:
 * it would start a gateway of this very program, or it stands in the session's own chain, or too
 * many sessions lie around this one. Pure.
 */
export function chainRefusal(
  config: ServerConfig,
  { chain, own }: {
    readonly chain: readonly ChainLink[];
    readonly own: OwnProgram | null;
  },
): string | null {
  if (chain.length >= LONGEST_CHAIN) {
    return `${chain.length} sessions of Hotplug run inside each other, and no more may`;
  }
  const mark = definitionMark(config);
  if (chain.some(({ definition }) => definition === mark)) {
    return "This session runs inside this very server";
  }
  if (startsOwnGateway(config, own)) {
    return "It is Hotplug's own gateway, whose servers are started here anyway";
  }
  return null;
}

/** What a workspace is known by in a chain. Pure. */
export function workspaceMark(workspacePath: string): string {
  return sha256HexNow(workspacePath).slice(0, 12);
}

function definitionMark({ command, args = [], url }: ServerConfig): string {
  return sha256HexNow(JSON.stringify([command ?? null, args, url ?? null])).slice(0, 12);
}
