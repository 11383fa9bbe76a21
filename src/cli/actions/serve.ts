import { Console } from "node:console";
import process from "node:process";
import { descriptorOutput } from "../../gateway/descriptor_output.ts";
import {
  openSessionBehind,
  previewBehind,
  type SessionBehind,
} from "../../gateway/open_session.ts";
import type { OfferPatterns } from "../../gateway/offer_filter.ts";
import type { GatewayOptions } from "../../gateway/gateway.ts";
import { leanStart } from "../../gateway/lean_start.ts";
import { LoopGuard } from "../../gateway/loop_guard.ts";
import { serveStdio } from "../../gateway/serve_stdio.ts";
import { hostProfile } from "../../hosts/profiles.ts";
import type { HostProfile } from "../../model/host_profile.ts";
import type { Logger } from "../../model/log.ts";
import { loadAllMCPConfigs } from "../../plan/discover.ts";
import { lineLogger } from "../../platform/logger.ts";
import { findWorkspace } from "../../platform/workspace.ts";
import { machineClock } from "../../runtime/clock.ts";
import type { NamingStyle } from "../../tools/public_name.ts";
import type { CliContext } from "../context.ts";
import { loadOptions } from "../discovery.ts";
import type { DiscoveryFlags } from "../flags.ts";
import { httpAddress, type HttpFlags } from "../http_address.ts";
import { harmlessJson } from "../json_output.ts";

/** Kinds whose hook file tells its user how servers stand. */
const HOOK_FILE_KINDS: readonly string[] = ["module", "pi", "omp"];

/** What somebody is told who starts it by hand. */
const FOR_A_PERSON =
  `This is an MCP server for a host agent, and waits for one on stdin; Ctrl-C ends it.
To give an agent your tools: mcp hooks install <host>. To see them: mcp tools`;

/** Flags of `mcp serve`. */
export interface ServeFlags extends DiscoveryFlags, HttpFlags {
  /** Kind of the host. */
  readonly for?: string | undefined;
  /** Patterns of what is offered alone. */
  readonly only?: readonly string[] | undefined;
  /** Patterns of what is left out. */
  readonly except?: readonly string[] | undefined;
  /** Three tools that stand for all. */
  readonly lazy?: boolean | undefined;
  /** How tools are named. */
  readonly naming?: NamingStyle | undefined;
  /** Exit when nothing can be discovered, and give no list that is not whole. */
  readonly strict?: boolean | undefined;
  /** Do not follow edits. */
  readonly noWatch?: boolean | undefined;
}

/** `mcp serve`: one MCP server with the tools of all servers, over stdio or HTTP. */
export async function serve(context: CliContext, flags: ServeFlags): Promise<number> {
  const { output, signal } = context;
  const address = httpAddress(flags);
  const log = lineLogger(
    (line) => output.stderr.write(`${harmlessJson(line)}\n`),
    flags.verbose === true ? "debug" : "warn",
  );
  keepOutputClean(log);
  const profile = await profileOf(flags.for);
  const load = await loadOptions(context, flags);
  if (flags.strict === true) await loadAllMCPConfigs({ ...load, signal });
  const patterns: OfferPatterns = { only: flags.only ?? [], except: flags.except ?? [] };
  const trace = flags.trace === undefined
    ? null
    : (await import("../trace_output.ts")).openTrace(flags.trace, load.machine.cwd, output.stderr);
  const { machine } = load;
  const loops = new LoopGuard({
    env: machine.env,
    workspacePath: findWorkspace(machine.cwd, machine.home),
  });
  const naming = flags.naming ?? profile?.naming ?? "server";
  const behind: SessionBehind = {
    patterns,
    profile,
    loops,
    session: {
      ...load,
      log,
      naming,
      trace: trace?.write,
      ...(flags.noWatch === true ? { watch: false } : {}),
    },
  };
  const gateway: GatewayOptions = {
    open: leanStart(openSessionBehind(behind), machineClock),
    preview: previewBehind(behind),
    profile,
    patterns,
    naming,
    strict: flags.strict === true,
    lazy: flags.lazy === true,
    loops,
    clock: machineClock,
    log,
  };
  if (address === null) {
    await overStdio(context, gateway);
  } else {
    const { overHttp } = await import("./serve_http.ts");
    await overHttp({ context, flags, gateway, address, ...load });
  }
  trace?.close();
  return 0;
}

async function overStdio(
  { output, signal }: CliContext,
  gateway: GatewayOptions,
): Promise<void> {
  if (process.stdin.isTTY) output.stderr.write(`${FOR_A_PERSON}\n`);
  const parent = process.ppid;
  await serveStdio({
    ...gateway,
    input: process.stdin,
    output: descriptorOutput(1),
    tellsStatus: HOOK_FILE_KINDS.includes(gateway.profile?.id ?? ""),
    // A process that has lost its parent is given another; not so on Windows.
    isParentAlive: () => process.ppid === parent,
    signal,
  });
}

/**
 * Keeps stdout for the protocol, whoever else writes, and the program up: a host that loses it does
 * not start it again, so what nobody caught is only told.
 */
function keepOutputClean(log: Logger): void {
  globalThis.console = new Console(process.stderr, process.stderr) as typeof globalThis.console;
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.removeAllListeners(event);
    process.on(event, (thrown: unknown) => {
      const cause = thrown instanceof Error ? thrown.stack ?? thrown.message : String(thrown);
      log.log("error", "Nobody caught an error", { cause });
    });
  }
}

/**
 * What the host does with tools; `null` when its kind was not given.
 * @throws {HotplugError} `usage` for a kind that is not known.
 */
async function profileOf(kind: string | undefined): Promise<HostProfile | null> {
  if (kind === undefined) return null;
  const profile = hostProfile(kind);
  if (profile !== null) return profile;
  // Only a mistake needs to know where the hooks of all lie.
  const { knownHost } = await import("../../hosts/registry.ts");
  return knownHost(kind).profile;
}
