/** Real processes for the tests of this folder, and a look at what is left of them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

import { endGroup, type EndGroupOptions } from "../../src/platform/end_group.ts";
import { type ProcessGroup, spawnGroup } from "../../src/platform/process_group.ts";

/** What the scripts need: a path to find `sleep` and `deno` by. */
export function environment(): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" };
}

/** Starts a shell script as a group. */
export function startShell(script: string, mark: string): Promise<ProcessGroup> {
  return spawnGroup({
    program: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: environment(),
    mark,
  });
}

/** Ends a group and checks that nothing of it and nothing with its mark runs any more. */
export async function endShell(
  group: ProcessGroup,
  mark: string,
  options: EndGroupOptions = {},
): Promise<void> {
  await endGroup(group, mark, options);
  assert.deepEqual(groupProcesses(group.pid), [], "processes of the group are left");
  if (mark !== "") assert.deepEqual(processesMarked(mark), [], "marked processes are left");
}

/** Ids of the running processes of a group. */
export function groupProcesses(group: number): number[] {
  return allProcesses().filter((pid) => {
    const stat = statFields(pid);
    return stat !== null && stat.state !== "Z" && stat.group === group;
  });
}

/** Ids of the running processes that carry a mark. */
export function processesMarked(mark: string): number[] {
  return allProcesses().filter((pid) => {
    try {
      const env = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      return env.includes(`HOTPLUG_SERVER=${mark}`) && isRunning(pid);
    } catch {
      return false;
    }
  });
}

/** Whether a process runs, and is not just waiting to be reaped. */
export function isRunning(pid: number): boolean {
  const stat = statFields(pid);
  return stat !== null && stat.state !== "Z";
}

/** Ids of the children of this process that have ended and were not reaped. */
export function zombieChildren(): number[] {
  return allProcesses().filter((pid) => {
    const stat = statFields(pid);
    return stat?.state === "Z" && stat.parent === Deno.pid;
  });
}

/** Runs a test in a folder of its own, which is removed. */
export async function withTempFolder(
  test: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Waits until something holds; fails after 5 s. For what gives no event of its own. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!await holds()) {
    assert.ok(performance.now() < deadline, "it did not come true within 5 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function allProcesses(): number[] {
  return readdirSync("/proc").map(Number).filter((pid) => pid > 0);
}

function statFields(pid: number): { state: string; parent: number; group: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent), group: Number(group) };
  } catch {
    return null;
  }
}
