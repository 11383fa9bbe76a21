import type { ProcessGroup } from "./process_group.ts";
import { releaseGroup } from "./live_groups.ts";
import { isMarkUnder, markedProcessesSoon, signalProcess } from "./marked_processes.ts";
import { processStat } from "./linux_processes.ts";

/** How long {@linkcode endGroup} waits. */
export interface EndGroupOptions {
  /** Milliseconds between the end of stdin and SIGTERM. Default 1,000. */
  readonly stdinGraceMs?: number;
  /** Milliseconds between SIGTERM and SIGKILL. Default 1,000. */
  readonly termGraceMs?: number;
  /**
   * Settles when the output was read to its end. Given, it gets a moment for that once nothing runs
   * any more, as the streams are closed then.
   */
  readonly reading?: Promise<unknown>;
}

/**
 * SIGKILL and the milliseconds after it. The system needs one or two to clear away what was
 * killed; the later ones are for processes that were being started at the moment of the first.
 */
const KILL_STEPS = [["SIGKILL", 500], ["SIGKILL", 100], ["SIGKILL", 100]] as const;

/** Milliseconds to read what was written before the end. */
const READING_MS = 1_000;

/** First and longest milliseconds between two looks at processes that give no sign at their end. */
const POLL_MS = { first: 2, longest: 40 };

/** The groups that are being ended or have been. */
const endings = new WeakMap<ProcessGroup, Promise<void>>();

/**
 * Ends a group: its stdin ends, so that the server can put its things in order; then SIGTERM to
 * the whole group; then SIGKILL. On Linux the processes that left the group but carry its mark
 * (and what carries a mark made under it) get the same two signals. It is over as soon as none of
 * them runs, and then the three streams are closed. Never rejects; a second call waits for the
 * first.
 *
 * @param mark The mark that the group was started with; empty leaves alone what left the group.
 */
export function endGroup(
  group: ProcessGroup,
  mark: string,
  options: EndGroupOptions = {},
): Promise<void> {
  const ending = endings.get(group) ?? end(group, mark, options);
  endings.set(group, ending);
  return ending;
}

async function end(group: ProcessGroup, mark: string, options: EndGroupOptions): Promise<void> {
  const { reading } = options;
  try {
    await endProcesses(group, mark, options);
    if (reading !== undefined) await within(READING_MS, reading);
  } finally {
    // An open pipe would keep Deno's event loop alive.
    for (const stream of [group.stdin, group.stdout, group.stderr]) stream.destroy();
    releaseGroup(group);
  }
}

/** Ends the processes, each step only when the one before was not enough. */
async function endProcesses(
  group: ProcessGroup,
  mark: string,
  { stdinGraceMs = 1_000, termGraceMs = 1_000 }: EndGroupOptions,
): Promise<void> {
  closeInput(group);
  await gone(group, [], stdinGraceMs);
  const steps = [["SIGTERM", termGraceMs], ...KILL_STEPS] as const;
  for (const [name, waitMs] of steps) {
    const outside = await processesOutside(group, mark);
    if (!group.isAlive() && outside.length === 0) return;
    group.signal(name);
    for (const pid of outside) signalProcess(pid, name);
    await gone(group, outside, waitMs);
  }
}

/** Tells the server that nobody will ask again, and lets it write what it still has to say. */
function closeInput(group: ProcessGroup): void {
  group.stdin.end();
  for (const output of [group.stdout, group.stderr]) output.resume();
}

/** Ids of the processes that carry the mark and are in another group. */
async function processesOutside(group: ProcessGroup, mark: string): Promise<readonly number[]> {
  if (mark === "") return [];
  return (await markedProcessesSoon())
    .filter((found) => found.group !== group.pid && isMarkUnder(found.mark, mark))
    .map((found) => found.pid);
}

/**
 * Settles when neither the group nor these processes run, at the latest after `ms`. The end of the
 * first process is an event; the others are no children of ours and have to be looked at.
 */
async function gone(group: ProcessGroup, outside: readonly number[], ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  await within(ms, group.exited);
  const runs = (): boolean =>
    group.isAlive() || outside.some((pid) => processStat(pid)?.ended === false);
  for (let pause = POLL_MS.first; runs(); pause = Math.min(pause * 2, POLL_MS.longest)) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    await within(Math.min(pause, left));
  }
}

/** Settles after `ms`, or when `event` does. Leaves no timer behind. */
function within(ms: number, event?: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    event?.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
