import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";
import { MAX_LOG_BYTES, OLDER_LOGS } from "../../src/platform/log_place.ts";
import { LogReader } from "../../src/platform/log_reader.ts";
import { trap } from "../harness/servers.ts";
import { inHome, withManager } from "../runtime/running_manager.ts";

/** Bytes of the flood: 2 GB in the soak, run by hand, otherwise a tenth of it. */
const FLOOD = Deno.env.get("HOTPLUG_SOAK") === "1" ? 2_000_000_000 : 200_000_000;

/** Megabytes that may be held at any time beyond the start, whatever the size of the flood. */
const MOST_GROWTH_MB = 32;

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

/** Megabytes that are in use when the garbage has been collected. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

withManager(
  "a flood on stderr neither stalls the server nor fills memory or disk [B08]",
  async (world) => {
    const manager = world.manager({ toolCache: null });
    const start = held();
    let peak = start;
    const watch = setInterval(() => peak = Math.max(peak, held()), 500);
    const begun = performance.now();
    try {
      const { connectedServers } = await manager.connectServers(inHome(world, {
        it: { ...trap("stderr-flood", String(FLOOD)), startupTimeout: 600_000 },
      }));
      assert.deepEqual(connectedServers, ["it"]);
      await manager.disconnectAll();
    } finally {
      clearInterval(watch);
    }
    const grown = peak - start;
    const seconds = (performance.now() - begun) / 1_000;
    const message = `${FLOOD / 1e6} MB in ${seconds.toFixed(1)} s, ${grown.toFixed(0)} MiB more`;
    if (FLOOD > 1e9) Deno.stdout.writeSync(new TextEncoder().encode(`${message}\n`));
    assert.ok(grown < MOST_GROWTH_MB, message);

    const folder = join(world.state, "logs");
    let bytes = 0;
    for await (const { name } of Deno.readDir(folder)) {
      bytes += (await Deno.stat(join(folder, name))).size;
    }
    assert.ok(bytes <= (OLDER_LOGS + 1) * MAX_LOG_BYTES, `${bytes} bytes on disk`);
    const lines = await new LogReader(folder, world.project).next();
    const messages = lines.map(({ message }) => message);
    const left = messages.flatMap((text) => Number(/^Left out (\d+) lines/.exec(text)?.[1] ?? 0));
    assert.ok(left.reduce((sum, count) => sum + count, 0) > 1_000, "it says what it left out");
    assert.equal(messages.at(-1), "Closed");
    assert.ok(messages.includes("flood is over"), "the newest lines are there");
  },
);
