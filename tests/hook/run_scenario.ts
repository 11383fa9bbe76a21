import assert from "node:assert/strict";
import { type HookFileKind, hookFileText } from "../../src/hosts/hook/hook_text.ts";
import { program as mcp } from "../harness/run_cli.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { fromRepository } from "../harness/repository.ts";
import type { ServerCommand } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { RUNTIMES } from "./runtimes.ts";
import { standIn } from "./stand_in.ts";

/** How a scenario is run. */
export interface ScenarioOptions {
  /**
   * What stands behind the stand-in for `mcp`; a function gets the run's home. Default: no
   * stand-in, but Hotplug itself.
   */
  readonly server?: ServerCommand | ((home: TempHome) => ServerCommand);
  /** Puts something into the home before. */
  readonly prepare?: (home: TempHome) => Promise<void>;
  /** What the scenario gets besides. */
  readonly input?: object;
  /** Kind of hook file. Default `module`; the others are played by `host_scenarios.mjs`. */
  readonly kind?: HookFileKind;
  /** Exit status that its process has to have. Default 0; `null` when a signal ends it. */
  readonly code?: number | null;
}

/** Longest time of one run in milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Runs a scenario of `scenarios.mjs` in every runtime and checks what it answers. Fails when its
 * process does not end by itself, or when anything that it started lives on.
 */
export async function inEveryRuntime<Answer>(
  scenario: string,
  options: ScenarioOptions,
  check: (answer: Answer, runtime: string) => void,
): Promise<void> {
  const runs = await Promise.allSettled(RUNTIMES.map(async ({ name, command }) => {
    const home = await makeTempHome();
    try {
      const { server, input = {}, kind = "module", code = 0, prepare } = options;
      const own = typeof server === "function" ? server(home) : server;
      const baked = own === undefined ? mcp() : [await standIn(home, own)];
      await prepare?.(home);
      const run = await runScenario(home, await command(), scenario, { input, baked, kind });
      assert.equal(run.code, code, `${name}: ${run.stderr}`);
      const left = await leftoversOfHome(home.home, 3_000);
      endProcesses(left);
      assert.deepEqual(left, [], `${name} leaves processes`);
      check(run.stdout === "" ? null as Answer : JSON.parse(run.stdout) as Answer, name);
    } finally {
      await home.remove();
    }
  }));
  for (const run of runs) if (run.status === "rejected") throw run.reason;
}

/** What one run takes. */
export interface RunOptions {
  /** What the scenario gets. */
  readonly input: object;
  /** Kind of hook file. Default `module`. */
  readonly kind?: HookFileKind;
  /** Command line that the hook file was written with. Default: none. */
  readonly baked?: readonly string[];
}

/** Runs one scenario to its end. */
export async function runScenario(
  home: TempHome,
  [program, ...args]: readonly [string, ...string[]],
  scenario: string,
  { input, kind = "module", baked = [] }: RunOptions,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const hook = await home.write(
    "project/.hotplug/hooks/mcp_tools.mjs",
    hookFileText(kind, { program: baked, version: "0.1.0" }),
  );
  const name = kind === "module" ? "scenarios.mjs" : "host_scenarios.mjs";
  const script = fromRepository(`tests/hook/${name}`);
  const { code, signal, stdout, stderr } = await new Deno.Command(program, {
    args: [...args, script, hook, scenario, JSON.stringify(input)],
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env },
    stdin: "null",
    signal: AbortSignal.timeout(LIMIT_MS),
  }).output();
  const text = new TextDecoder();
  return {
    code: signal === null ? code : null,
    stdout: text.decode(stdout),
    stderr: text.decode(stderr),
  };
}
