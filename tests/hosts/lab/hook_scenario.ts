import assert from "node:assert/strict";
import { join } from "node:path";
import { liveSessions } from "../../../src/control/live_sessions.ts";
import { hotplugFolders } from "../../../src/platform/folders.ts";
import { machineOf } from "../../harness/temp_home.ts";
import { until } from "../../harness/until.ts";
import type { HostDriver } from "./host_driver.ts";
import { type Lab, labServer, type LabSession, labTest, toolEnds } from "./lab_test_case.ts";

/** Ends of the public names of all tools that the servers of the scenario have. */
const ONE = ["one_echo", "one_whoami", "one_wait"];
const TWO = ["two_echo"];
const THREE = ["three_echo"];
const EVERY = [...ONE, ...TWO, ...THREE];

/**
 * What hooks promise, in a real host with a scripted model: two servers of Hotplug's store are
 * there from the start, a reload exchanges one for a third within the running session, and neither
 * the death of a server nor that of `mcp` ends it.
 */
export function hookTest(driver: HostDriver, possible: boolean = true): void {
  const habits = { ...driver.habits, ...driver.withHook };
  labTest("has the tools of Hotplug by its hook [G07, G17, G18]", driver, async (lab) => {
    const { step } = lab;
    await Promise.all([
      addServer(lab, "one", ["echo", "whoami", "wait"]),
      addServer(lab, "two", ["echo"]),
    ]);
    await lab.mcp(["hooks", "install", driver.kind]);
    const session = await lab.start();
    let process = "";
    await step("the model has and calls the tools of two servers", async () => {
      if (habits.late) await until(async () => (await offered(session)).length === 4);
      const [first, second, third] = await session.turn(
        { tool: "one_echo", args: { text: "hello" } },
        { tool: "two_echo", args: { text: "there" } },
      );
      assert.deepEqual(toolEnds(first, EVERY), [...ONE, ...TWO]);
      process = /echo of one, (process \d+): hello/.exec(`${second?.results}`)?.[1] ?? "";
      assert.notEqual(process, "", `${second?.results}`);
      assert.match(`${third?.results}`, /echo of two, process \d+: there/);
    });
    await step("a reload changes the tools of the running session", async () => {
      await addServer(lab, "three", ["echo"]);
      await lab.mcp(["remove", "two"]);
      await lab.mcp(["reload"]);
      const [next, second, third, fourth] = await session.turn(
        { tool: "three_echo", args: { text: "new" } },
        { tool: "one_echo", args: { text: "same" } },
        { tool: "two_echo", args: { text: "old" } },
      );
      const known = habits.forgets ? [...ONE, ...THREE] : EVERY;
      assert.deepEqual(toolEnds(next, EVERY), known);
      assert.match(`${second?.results}`, /echo of three, process \d+: new/);
      assert.match(`${third?.results}`, new RegExp(`echo of one, ${process}: same`));
      assert.doesNotMatch(`${fourth?.results ?? []}`, /echo of two/);
    });
    await step(
      "a server that is killed in the middle of a turn does not end the session",
      () => killServer(lab, session),
    );
    if (!habits.restartsServers) return;
    await step("a killed mcp comes back", () => killHotplug(lab, session));
  }, possible);
}

/** Ends of the names of the tools that the next request has. */
async function offered({ turn }: LabSession): Promise<readonly string[]> {
  return toolEnds((await turn())[0], EVERY);
}

/** Adds a server to the store and enables it here. */
async function addServer({ mcp }: Lab, name: string, tools: readonly string[]): Promise<void> {
  const { command, args, env } = labServer(name, tools);
  const pairs = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  await mcp(["add", name, ...pairs, "--enable", "--", command, ...args]);
}

/** Kills a server while the model waits for its answer, and sees that the turn and the next go on. */
async function killServer({ home }: Lab, { turn }: LabSession): Promise<void> {
  const file = join(home.root, "waiting");
  const turning = turn(
    { tool: "one_wait", args: { text: file } },
    { tool: "three_echo", args: { text: "still" } },
  );
  const pid = async (): Promise<number> => Number(await Deno.readTextFile(file).catch(() => ""));
  await until(async () => await pid() > 0);
  Deno.kill(await pid(), "SIGKILL");
  const requests = await turning;
  assert.deepEqual(toolEnds(requests.at(-1), ONE), ONE, "its tools are gone");
  const [lost, still] = requests.at(-1)?.results ?? [];
  assert.match(`${lost}`, /MCP error/);
  assert.match(`${still}`, /echo of three, process \d+: still/);
  const [, again] = await turn({ tool: "one_echo", args: { text: "again" } });
  assert.match(`${again?.results}`, /echo of one, process \d+: again/);
}

/** Kills the gateway itself, and sees that the host has it and its tools again. */
async function killHotplug({ home }: Lab, session: LabSession): Promise<void> {
  const machine = machineOf(home);
  const folders = hotplugFolders(machine);
  for (const { info } of await liveSessions({ folders, machine })) Deno.kill(info.pid, "SIGKILL");
  const echo = { tool: "one_echo", args: { text: "back" } };
  await until(async () => {
    const requests = await session.turn(echo);
    return /echo of one, process \d+: back/.test(`${requests.at(-1)?.results}`);
  });
  assert.deepEqual(await offered(session), [...ONE, ...THREE]);
}
