import assert from "node:assert/strict";
import { join } from "node:path";
import { liveSessions } from "../../../src/control/live_sessions.ts";
import { hotplugFolders } from "../../../src/platform/folders.ts";
import { machineOf } from "../../harness/temp_home.ts";
import { until } from "../../harness/until.ts";
import { LIMIT_MS } from "./agent_process.ts";
import { type Lab, type LabSession, toolEnds } from "./lab_test_case.ts";
import type { ScriptedCall } from "./model/script.ts";

/** A call of the server "one" that never ends by itself. */
interface WaitingCall {
  /** Its turn, other calls included. */
  readonly turning: ReturnType<LabSession["turn"]>;
  /** Process of the server. */
  readonly pid: number;
}

/** Begins a turn with such a call, and waits until the server has it. */
async function waitingCall(
  { home }: Lab,
  { turn }: LabSession,
  ...others: readonly ScriptedCall[]
): Promise<WaitingCall> {
  const file = join(home.root, crypto.randomUUID());
  const turning = turn({ tool: "one_wait", args: { text: file } }, ...others);
  const pid = async (): Promise<number> => Number(await Deno.readTextFile(file).catch(() => ""));
  await until(async () => await pid() > 0, LIMIT_MS);
  return { turning, pid: await pid() };
}

/**
 * Kills the server "one" while the model waits for its answer: the model is told, its tools stay,
 * the rest of the turn goes on, and the next turn has the server again.
 *
 * @param other The server that the model calls after it in the same turn.
 */
export async function killServer(lab: Lab, session: LabSession, other: string): Promise<void> {
  const still = { tool: `${other}_echo`, args: { text: "still" } };
  const { turning, pid } = await waitingCall(lab, session, still);
  Deno.kill(pid, "SIGKILL");
  const requests = await turning;
  const tools = ["one_echo", "one_wait"];
  assert.deepEqual(toolEnds(requests.at(-1), tools), tools, "its tools are gone");
  const [lost, called] = requests.at(-1)?.results ?? [];
  assert.match(`${lost}`, /MCP error: outcome unknown/);
  assert.match(`${called}`, new RegExp(`echo of ${other}, process \\d+: still`));
  const [, again] = await session.turn({ tool: "one_echo", args: { text: "again" } });
  assert.match(`${again?.results}`, /echo of one, process \d+: again/);
}

/**
 * Kills the gateway itself while the model waits for an answer through it: the turn ends, and the
 * tools can be called again.
 */
export async function killHotplug(lab: Lab, session: LabSession): Promise<void> {
  const machine = machineOf(lab.home);
  const folders = hotplugFolders(machine);
  const sessions = await liveSessions({ folders, machine });
  assert.ok(sessions.length > 0, "no session lives");
  const { turning } = await waitingCall(lab, session);
  for (const { info } of sessions) Deno.kill(info.pid, "SIGKILL");
  const requests = await turning;
  assert.equal(requests.at(-1)?.results.length, 1);
  const echo = { tool: "one_echo", args: { text: "back" } };
  await until(async () => {
    const requests = await session.turn(echo);
    return /echo of one, process \d+: back/.test(`${requests.at(-1)?.results}`);
  }, LIMIT_MS);
}
