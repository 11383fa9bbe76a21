import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";

/** Whether everything runs in full: `HOTPLUG_SOAK=1`, by hand. */
export const IS_SOAK: boolean = Deno.env.get("HOTPLUG_SOAK") === "1";

/** How much of a full run is done: otherwise a twentieth of each. */
export const SHARE: number = IS_SOAK ? 1 : 0.05;

/** Megabytes that the heap may grow by when its garbage has been collected. */
export const MOST_GROWTH_MB = 8;

/** What a process holds that it could forget to give back. */
export interface Held {
  /** Open descriptors, by Linux. */
  readonly descriptors: number;
  /** Timers, sockets and processes, by the runtime. */
  readonly resources: number;
  /** Processes that were started and are there, those that nobody waited for included. */
  readonly children: number;
  /** Listeners at one signal, if any were counted. */
  readonly listeners: number;
  /** Listeners at `process`, by event. */
  readonly ofProcess: Readonly<Record<string, number>>;
  /** Megabytes of the heap, its garbage collected. */
  readonly megabytes: number;
}

/** Milliseconds that what was given up gets to be taken by the other side. */
const SETTLE_MS = 20_000;

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

/** What this process holds now. */
export function held(listeners: () => number = () => 0): Held {
  collectGarbage();
  const descriptors = Deno.build.os === "linux" ? readdirSync("/proc/self/fd").length : 0;
  const resources = typeof process.getActiveResourcesInfo === "function"
    ? process.getActiveResourcesInfo().length
    : 0;
  const ofProcess = Object.fromEntries(
    process.eventNames().map((event) => [String(event), process.listenerCount(event)]),
  );
  const megabytes = process.memoryUsage().heapUsed / 2 ** 20;
  return {
    descriptors,
    resources,
    children: children(),
    listeners: listeners(),
    ofProcess,
    megabytes,
  };
}

function children(): number {
  if (Deno.build.os !== "linux") return 0;
  return readdirSync("/proc").filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(name) > 0 && parent === String(process.pid);
    } catch {
      return false;
    }
  }).length;
}

/**
 * Connections that may lie in the pool at the end and did not at the start: those of five calls at
 * once and of their cancellations, of which both ends count here. On a slow machine ten rounds and more
 * go on at once. In a full run a leak of every call would be twenty times as much.
 */
const POOLED = 2 * (5 + 5) * 10;

/** Whether no more is held than at the start, the pool of connections aside. */
function isBack(start: Held, end: Held): boolean {
  return end.descriptors <= start.descriptors + POOLED && end.resources <= start.resources + 8 &&
    end.listeners <= start.listeners && end.children <= start.children;
}

/** Prints one line about a full run. */
export function tell(line: string): void {
  if (IS_SOAK) Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/**
 * Does something again and again, and compares what is held after the first tenth with what is
 * held at the end: what grows with the number of times is a leak.
 *
 * @param full How often in a full run; a twentieth of it otherwise.
 * @param listeners Counts listeners that must be back as well.
 */
export async function again(
  name: string,
  full: number,
  step: (time: number) => Promise<void>,
  listeners: () => number = () => 0,
): Promise<void> {
  const times = Math.max(10, Math.round(full * SHARE));
  const warm = Math.max(2, Math.round(times / 10));
  const begun = performance.now();
  let start = held(listeners);
  for (let time = 0; time < times; time++) {
    if (time === warm) start = held(listeners);
    await step(time);
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  // What was given up is told to the server, which takes it a moment later.
  const latest = performance.now() + SETTLE_MS;
  let end = held(listeners);
  while (!isBack(start, end) && performance.now() < latest) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    end = held(listeners);
  }
  const message = `${name}, ${times} times in ${seconds} s: ${JSON.stringify({ start, end })}`;
  tell(message);
  assert.ok(isBack(start, end), message);
  assert.deepEqual(end.ofProcess, start.ofProcess, message);
  assert.ok(end.megabytes <= start.megabytes + MOST_GROWTH_MB, message);
}
