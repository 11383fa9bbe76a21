import process from "node:process";
import type { ServerConfig } from "../model/definition.ts";
import { sha256HexNow } from "../tools/sha256.ts";

/**
 * The variable that tells a process through which servers it was started: one link a session, the
 * outermost first. A server of one session may hold a session itself, and without this it could
 * start itself over and over.
 */
export const CHAIN_VARIABLE = "HOTPLUG_CHAIN";

/** Most sessions that may lie around one that starts servers. */
const LONGEST_CHAIN = 4;

/** Names that the program is installed under. */
const OWN_NAMES: ReadonlySet<string> = new Set(["mcp", "hotplug"]);

/** Programs that run a script; `deno serve` is no gateway. */
const RUNTIMES: ReadonlySet<string> = new Set(["deno", "node", "bun"]);

/** The package's name, as launchers such as `npx` are told it. */
const OWN_PACKAGE = "@hotplug/mcp";

/** How the running program was started. */
export interface OwnProgram {
  /** The executable: the program itself, or what runs its script. */
  readonly executable: string;
  /** The script; `null` when there is none. */
  readonly script: string | null;
}

/** The links of the chain that a process was started through. Pure. */
export function readChain(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (env[CHAIN_VARIABLE] ?? "").split(",").map((link) => link.trim()).filter((link) =>
    link !== ""
  );
}

/**
 * The rule of {@linkcode chainRefusal} for this process.
 * @param env Its environment. Default: the one that it was started with.
 */
export function chainRule(
  env: Readonly<Record<string, string | undefined>> = process.env,
): (config: ServerConfig | null) => string | null {
  const chain = readChain(env);
  const own = { executable: process.execPath, script: process.argv[1] ?? null };
  return (config) => chainRefusal(config ?? {}, { chain, own });
}

/** What the process of a server that this one starts is told of its chain. */
export function childChain(
  env: Readonly<Record<string, string | undefined>>,
): (config: ServerConfig) => Readonly<Record<string, string>> {
  const chain = readChain(env);
  return (config) => ({ [CHAIN_VARIABLE]: chainOf(chain, config) });
}

/** The chain that a server's process is told of, and all that it starts. Pure. */
export function chainOf(chain: readonly string[], config: ServerConfig): string {
  return [...chain, chainLink(config)].join(",");
}

/**
 * Why a session may not start a server, in one sentence without a final stop; `null` when it may:
 * it would start a gateway of this very program, or it stands in the session's own chain, or too
 * many sessions lie around this one. Pure.
 */
export function chainRefusal(
  config: ServerConfig,
  { chain, own }: { readonly chain: readonly string[]; readonly own: OwnProgram | null },
): string | null {
  if (chain.length >= LONGEST_CHAIN) {
    return `${chain.length} sessions of Hotplug run inside each other, and no more may`;
  }
  if (chain.includes(chainLink(config))) return "This session runs inside this very server";
  if (startsGateway(config, own)) {
    return "It is Hotplug's own gateway, whose servers are started here anyway";
  }
  return null;
}

/** What a definition is known by in a chain: its name may differ from place to place. */
function chainLink({ command, args = [], url }: ServerConfig): string {
  return sha256HexNow(JSON.stringify([command ?? null, args, url ?? null])).slice(0, 12);
}

/** Whether a definition runs `serve` of this program, by its name, its package or its path. */
function startsGateway({ command, args = [] }: ServerConfig, own: OwnProgram | null): boolean {
  if (command === undefined) return false;
  const isOwnProgram = OWN_NAMES.has(fileName(command)) ||
    (command === own?.executable && !RUNTIMES.has(fileName(command)));
  if (isOwnProgram) return args.find((word) => !word.startsWith("-")) === "serve";
  const at = args.findIndex((word) => word === own?.script || isOwnPackage(word));
  return at >= 0 && args.slice(at + 1).find((word) => !word.startsWith("-")) === "serve";
}

/** The last part of a path, without what marks a program on Windows. */
function fileName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, "").toLowerCase();
}

/** Whether a word names the package, with or without registry, version and entry. */
function isOwnPackage(word: string): boolean {
  const at = word.indexOf(OWN_PACKAGE);
  return (at === 0 || /^(?:jsr|npm):\/?$/.test(word.slice(0, Math.max(at, 0)))) &&
    /^(?:[@/]|$)/.test(word.slice(at + OWN_PACKAGE.length));
}
