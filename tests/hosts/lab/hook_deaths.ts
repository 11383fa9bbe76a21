import assert from "node:assert/strict";
import { join } from "node:path";
import { liveSessions } from "../../../src/control/live_sessions.ts";
import { hotplugFolders } from "../../../src/platform/folders.ts";
import { machineOf } from "../../harness/temp_home.ts";
import { until } from "../../harness/until.ts";
import { LIMIT_MS } from "./agent_process.ts";
import { type Lab, type LabSession, toolEnds } from "./lab_test_case.ts";

/**
 * Kills the server "one" while the model waits for its answer: the model is told, its tools stay,
 * the rest of the turn goes on, and the next turn has the server again.
 *
 * @param other The server that the model calls after it in the same turn.
 */
export async function killServer(
  { home }: Lab,
  { turn }: LabSession,
  other: string,
): Promise<void> {
  const file = join(home.root, "waiting");
  const turning = turn(
    { tool: "one_wait", args: { text: file } },
    { tool: `${other}_echo`, args: { text: "still" } },
  );
  const pid = async (): Promise<number> => Number(await Deno.readTextFile(file).catch(() => ""));
  await until(async () => await pid() > 0, LIMIT_MS);
  Deno.kill(await pid(), "SIGKILL");
  const requests = await turning;
  const tools = ["one_echo", "one_wait"];
  assert.deepEqual(toolEnds(requests.at(-1), tools), tools, "its tools are gone");
  const [lost, still] = requests.at(-1)?.results ?? [];
  assert.match(`${lost}`, /MCP error: outcome unknown/);
  assert.match(`${still}`, new RegExp(`echo of ${other}, process \\d+: still`));
  const [, again] = await turn({ tool: "one_echo", args: { text: "again" } });
  assert.match(`${again?.results}`, /echo of one, process \d+: again/);
}

/** Kills the gateway itself, and sees that its tools can be called again. */
export async function killHotplug({ home }: Lab, { turn }: LabSession): Promise<void> {
  const machine = machineOf(home);
  const folders = hotplugFolders(machine);
  const sessions = await liveSessions({ folders, machine });
  assert.ok(sessions.length > 0, "no session lives");
  for (const { info } of sessions) Deno.kill(info.pid, "SIGKILL");
  const echo = { tool: "one_echo", args: { text: "back" } };
  await until(async () => {
    const requests = await turn(echo);
    return /echo of one, process \d+: back/.test(`${requests.at(-1)?.results}`);
  }, LIMIT_MS);
}
