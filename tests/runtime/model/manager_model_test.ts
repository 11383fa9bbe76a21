import assert from "node:assert/strict";
import fc from "fast-check";
import { withManager } from "../running_manager.ts";
import { anyStep } from "./any_step.ts";
import { Host } from "./host.ts";
import { nothingIsLeft } from "./invariants.ts";
import { Model } from "./model.ts";
import { ScriptedServers } from "./scripted_listener.ts";
import { watchFetch } from "./watched_fetch.ts";

/** Two of the names make the same public names. */
const NAMES: readonly string[] = ["alpha", "b.c", "b_c"];

/** Steps at most of one manager; it takes about half as many on average. */
const MOST_STEPS = 50;

/** Ten thousand steps and a few more; `HOTPLUG_SOAK=1` makes ten times as many, by hand. */
const LEAST_STEPS: number = Deno.env.get("HOTPLUG_SOAK") === "1" ? 100_000 : 10_000;

/** Managers that surely take so many steps. */
const RUNS: number = Math.ceil(LEAST_STEPS / 22);

/** Milliseconds that the search for a smaller example of a failure may take. */
const SHRINKING_MS = 60_000;

withManager("whatever happens in whatever order, the manager does as its model", async (world) => {
  const fetch = watchFetch();
  await using servers = new ScriptedServers();
  let steps = 0;
  const property = fc.asyncProperty(
    fc.boolean(),
    fc.commands([...anyStep(NAMES)], { maxCommands: MOST_STEPS, size: "max" }),
    async (autoReconnect, commands) => {
      servers.renew(NAMES);
      const host = new Host(world, { servers, fetch, autoReconnect });
      const model = new Model(autoReconnect, NAMES);
      try {
        await fc.asyncModelRun(() => ({ model, real: host }), commands);
        for (const _ of commands) steps++;
        await nothingIsLeft(host);
      } catch (thrown) {
        await host.giveUp();
        throw thrown;
      }
    },
  );
  try {
    const found = await fc.check(property, { numRuns: RUNS, endOnFailure: true });
    if (!found.failed) return assert.ok(steps >= LEAST_STEPS, `only ${steps} steps`);
    const smaller = await fc.check(property, {
      seed: found.seed,
      path: found.counterexamplePath ?? "0",
      numRuns: 1,
      interruptAfterTimeLimit: SHRINKING_MS,
    });
    const shown = smaller.failed ? smaller : found;
    assert.fail(`${fc.defaultReportMessage(shown)}\n${shown.errorInstance}`);
  } finally {
    fetch.restore();
  }
});
