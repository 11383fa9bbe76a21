import assert from "node:assert/strict";
import { LATEST_MS, QUIET_MS } from "../../src/runtime/list_updates.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { startChangingServer } from "../harness/http_servers.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { inHome, withManager } from "../runtime/running_manager.ts";
import { held, IS_SOAK, MOST_GROWTH_MB, SHARE, tell } from "./held.ts";

/** Announcements of a storm in a full run. */
const FULL = 10_000;

/** Milliseconds of a storm: in full longer than a list may be out of date. */
const STORM_MS = IS_SOAK ? 2.5 * LATEST_MS : 1_000;

/** Milliseconds by which a busy machine may be late. */
const MARGIN_MS = 1_000;

/** Calls that measure how another server fares. */
const CALLS = IS_SOAK ? 200 : 50;

/** What raises a storm and how often the list was read in it. */
interface Storm {
  /** Raises it; gives the tool that the list has after it. */
  readonly raise: () => Promise<string>;
  /** How often the tools were listed so far. */
  readonly reads: () => Promise<number>;
}

/** Milliseconds of the middle and of the slowest tenth of some calls to the server `good`. */
async function latencies(manager: MCPManager): Promise<{ median: number; tenth: number }> {
  const all: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    await manager.callTool("good", "echo", { text: "x" });
    all.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, STORM_MS / CALLS / 2));
  }
  all.sort((one, other) => one - other);
  return { median: all[CALLS / 2] ?? 0, tenth: all[Math.floor(CALLS * 0.9)] ?? 0 };
}

/** Raises a storm, and checks what comes of it; tells when the offered tools changed. */
async function weather(
  name: string,
  manager: MCPManager,
  changes: number[],
  { raise, reads }: Storm,
): Promise<void> {
  await manager.settled();
  const before = await latencies(manager);
  const start = held();
  const readsBefore = await reads();
  changes.length = 0;
  const begun = performance.now();
  const [last, during] = await Promise.all([raise(), latencies(manager)]);
  const stormMs = performance.now() - begun;
  const names = (): readonly string[] => manager.listTools("x").map((tool) => tool.name);
  await until(() => names().includes(last), LATEST_MS + MARGIN_MS);
  // Another read may follow once the announcements have ended.
  await new Promise((resolve) => setTimeout(resolve, 2 * QUIET_MS));
  assert.ok(names().includes(last));
  const read = await reads() - readsBefore;
  const end = held();
  const gaps = changes.map((at, index) => at - (changes[index - 1] ?? begun));
  const worst = Math.round(Math.max(...gaps));
  tell(`storm, ${name}: ${JSON.stringify({ read, stormMs, worst, before, during, start, end })}`);
  assert.ok(read >= 1 && read <= stormMs / LATEST_MS + 2, `${read} reads in ${stormMs} ms`);
  assert.ok(worst <= LATEST_MS + MARGIN_MS, `A list was ${worst} ms late`);
  assert.ok(end.megabytes <= start.megabytes + MOST_GROWTH_MB, JSON.stringify({ start, end }));
  assert.ok(
    during.median <= 4 * before.median + 5 && during.tenth <= 4 * before.tenth + 20,
    `Others were held up: ${JSON.stringify({ before, during })}`,
  );
}

const times = Math.round(FULL * SHARE);

withManager(
  "a storm of changes over stdio costs few reads and nobody else, and the last list counts",
  async (world) => {
    const changes: number[] = [];
    const manager = world.manager({ onToolsChanged: () => changes.push(performance.now()) });
    await manager.connectServers(inHome(world, {
      x: trap("changing", String(times), String(STORM_MS)),
      good: trap("good"),
    }));
    const say = async (tool: string): Promise<string> => {
      const { content } = await manager.callTool("x", tool, {}, { timeout: 4 * STORM_MS });
      return String(content[0]?.["text"]);
    };
    await weather("stdio", manager, changes, {
      raise: () => say("storm"),
      reads: async () => Number(await say("reads")),
    });
  },
);

for (const era of ["legacy", "modern"] as const) {
  withManager(
    `a storm of changes over a ${era} stream costs few reads and nobody else, and the last list counts`,
    async (world) => {
      const changes: number[] = [];
      const server = await startChangingServer(world, era);
      try {
        const manager = world.manager({ onToolsChanged: () => changes.push(performance.now()) });
        const configs = { x: { url: server.url }, good: trap("good") };
        await manager.connectServers(inHome(world, configs));
        await weather(era, manager, changes, {
          raise: () => server.change(times, STORM_MS),
          reads: server.reads,
        });
      } finally {
        await server.close();
      }
    },
  );
}
