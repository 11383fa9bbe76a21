import assert from "node:assert/strict";
import type { TransportType } from "../../src/model/definition.ts";
import type { Machine } from "../../src/model/machine.ts";
import type { Scope } from "../../src/model/source.ts";
import { loadAllMCPConfigs } from "../../src/plan/discover.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { type CliRun, runCli } from "../harness/run_cli.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { type Agent, HAS_AGENTS } from "./agents.ts";
import { type AgentOptions, type AgentRun, environmentOf, run } from "./run_agent.ts";

/** One server as discovery reads it. What a server does not have is left out. */
export interface FoundServer {
  readonly name: string;
  /** Id of the source that read it. */
  readonly source: string;
  readonly scope: Scope;
  /** Its transport; for a url without one, the one that is tried first. */
  readonly type: TransportType;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test of a host agent works with. */
export interface Host {
  /** The home that the agent lives in. */
  readonly home: TempHome;
  /** Runs the agent; it must exit with 0. */
  run(args: readonly string[], options?: Partial<AgentOptions>): Promise<AgentRun>;
  /** Runs `mcp` in the project with the variables of the agent; it must exit with this status. */
  cli(args: readonly string[], code?: number): Promise<CliRun>;
  /** Every server that discovery finds in the home and its project, by name. */
  found(): Promise<readonly FoundServer[]>;
}

/** A test of a real host agent in a home of its own. */
export function hostTest(name: string, agent: Agent, test: (host: Host) => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_AGENTS }, async () => {
    const home = await makeTempHome();
    try {
      await test({
        home,
        async run(args, options = {}): Promise<AgentRun> {
          const ended = await run(agent, args, { home, ...options });
          assert.equal(ended.code, 0, `${args.join(" ")}\n${ended.stdout}\n${ended.stderr}`);
          return ended;
        },
        async cli(args, code = 0): Promise<CliRun> {
          const env = await environmentOf(agent, { home });
          const ended = await runCli(args, { cwd: home.project, env });
          assert.equal(ended.code, code, `${args.join(" ")}\n${ended.stdout}\n${ended.stderr}`);
          return ended;
        },
        found: async () => await foundIn(home, await environmentOf(agent, { home })),
      });
    } finally {
      await home.remove();
    }
  });
}

async function foundIn(
  { home, tmp, project }: TempHome,
  env: Readonly<Record<string, string>>,
): Promise<readonly FoundServer[]> {
  const { os } = Deno.build;
  const machine: Machine = { platform: os, env, home, tmp, cwd: project, uid: Deno.uid() };
  const { plan } = await loadAllMCPConfigs({ machine, folders: hotplugFolders(machine) });
  return plan.servers.flatMap(({ name, definition }): readonly FoundServer[] => {
    if (definition === null) return [];
    const { config: { type, command, args, env, url, headers }, source: { id, scope } } =
      definition;
    const known = type ?? (command === undefined ? "streamable_http" : "stdio");
    const facts = { name, source: id, scope, type: known, command, args, env, url, headers };
    return [present(facts)];
  }).toSorted((a, b) => a.name < b.name ? -1 : 1);
}

/** The same without what is undefined. */
function present<Facts extends object>(facts: Facts): FoundServer {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as FoundServer;
}
