import assert from "node:assert/strict";
import { join } from "node:path";
import { succeeded } from "../../harness/e2e.ts";
import { type CliRun, runCli } from "../../harness/run_cli.ts";
import { endProcesses, leftoversOfHome } from "../../harness/living_processes.ts";
import { DENO_CACHE, fromRepository } from "../../harness/repository.ts";
import type { ServerCommand } from "../../harness/servers.ts";
import { makeTempHome } from "../../harness/temp_home.ts";
import { HAS_AGENTS, installed } from "../agents.ts";
import type { HostDriver, LabPlace, RunningHost } from "./host_driver.ts";
import { type ScriptedCall, turnText } from "./model/script.ts";
import {
  type AskedRequest,
  type ScriptedModel,
  startScriptedModel,
} from "./model/scripted_model.ts";

/** What a test of a real host and a scripted model works with. */
export interface Lab extends LabPlace {
  readonly driver: HostDriver;
  /** The model itself. */
  readonly scripted: ScriptedModel;
  /** Starts the host; it is ended with the test. */
  start(): Promise<LabSession>;
  /** Runs `mcp` in the project as the user would in another terminal; it must exit with 0. */
  mcp(args: readonly string[]): Promise<CliRun>;
  /** A part of the test with a name of its own; when it fails, nothing further is done. */
  step(name: string, part: () => Promise<void>): Promise<void>;
}

/** A host that runs, and its turns. */
export interface LabSession {
  readonly host: RunningHost;
  /**
   * A turn in which the model makes these calls. Gives the requests that the host made for it: one
   * for each call and one more; the results stand in the last one.
   */
  turn(...calls: readonly ScriptedCall[]): Promise<readonly AskedRequest[]>;
}

/** Milliseconds that the processes of a host get to end after it. */
const LEFT_MS = 5_000;

/** Whether hosts that are tested by hand only are tested too. */
export const ALL_HOSTS: boolean = Deno.env.get("HOTPLUG_LAB") === "all";

/** A test of a real host with a scripted model, in a home of its own; nothing of it may be left. */
export function labTest(
  name: string,
  driver: HostDriver,
  test: (lab: Lab) => Promise<void>,
  possible: boolean = true,
): void {
  const { agent } = driver;
  const title = `${agent.name} ${agent.version}: ${name}`;
  Deno.test({ name: title, ignore: !HAS_AGENTS || !possible }, async (context) => {
    await installed(agent);
    const home = await makeTempHome();
    const scripted = startScriptedModel();
    const hosts: RunningHost[] = [];
    try {
      await shareDenoCache(home.home);
      const place = { home, model: scripted.url };
      await driver.configure(place);
      let turns = 0;
      const start = async (): Promise<LabSession> => {
        const host = await driver.start(place);
        hosts.push(host);
        return {
          host,
          async turn(...calls): Promise<readonly AskedRequest[]> {
            const number = ++turns;
            await host.prompt(turnText({ number, calls }));
            const asked = scripted.asked.filter(({ turn }) => turn === number);
            const why = `${JSON.stringify(scripted.unknown)}\n${host.tail()}`;
            assert.ok(asked.length > 0, `nothing asked in turn ${number}: ${why}`);
            return asked;
          },
        };
      };
      const mcp = async (args: readonly string[]): Promise<CliRun> =>
        succeeded(await runCli(args, { cwd: home.project, env: home.env }));
      const step = async (part: string, run: () => Promise<void>): Promise<void> => {
        assert.ok(await context.step(part, run), `"${part}" failed`);
      };
      await test({ ...place, driver, scripted, start, mcp, step });
      await Promise.all(hosts.map((host) => host.close()));
      assert.deepEqual(await leftoversOfHome(home.home, LEFT_MS), [], "processes are left");
    } finally {
      await Promise.all(hosts.map((host) => host.close()));
      endProcesses(await leftoversOfHome(home.home, 0));
      await scripted.close();
      await home.remove();
    }
  });
}

/** Not every host passes `DENO_DIR` on: where Deno looks without it lies the same cache. */
async function shareDenoCache(home: string): Promise<void> {
  const caches = join(home, ".cache");
  await Deno.mkdir(caches, { recursive: true });
  await Deno.symlink(DENO_CACHE, join(caches, "deno"));
}

/** A server of `lab_server.ts` with these tools, changed by a file when one is given. */
export function labServer(name: string, tools: readonly string[], file?: string): ServerCommand {
  const config = ["--config", fromRepository("deno.json"), "--cached-only"];
  const script = fromRepository("tests/hosts/lab/lab_server.ts");
  const flags = ["run", "--quiet", "--no-prompt", "--allow-all", "--no-check", ...config];
  const given = [name, tools.join(","), ...(file === undefined ? [] : [file])];
  return {
    command: Deno.execPath(),
    args: [...flags, script, ...given],
    env: { DENO_DIR: DENO_CACHE, DENO_NO_UPDATE_CHECK: "1" },
  };
}

/** Ends of the names of declared tools that fit, sorted: what the host put before them is cut. */
export function toolEnds(request: AskedRequest | undefined, ends: readonly string[]): string[] {
  const tools = request?.tools ?? [];
  return ends.filter((end) => tools.some((tool) => tool.endsWith(end)));
}
