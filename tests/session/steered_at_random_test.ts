import assert from "node:assert/strict";
import { HotplugError } from "../../src/model/errors.ts";
import type { RefreshReport } from "../../src/model/session_view.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held, of } from "./held_session.ts";
import { good, pause, STORE } from "./watching_manager.ts";

/** Numbers below a limit that look random and are the same each time. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % limit;
  };
}

const SERVERS = {
  a: good("a"),
  b: sdkServer("dual"),
  c: trap("slow", "150"),
  d: trap("dead"),
};
type Name = keyof typeof SERVERS;
const NAMES: readonly Name[] = ["a", "b", "c", "d"];

for (const seed of [1, 2]) {
  withManager(
    `whatever is asked of a session at once, it ends as it was told last (${seed})`,
    async (world) => {
      const random = numbers(seed);
      const write = async (names: readonly Name[], note = ""): Promise<void> => {
        const servers = Object.fromEntries(names.map((name) => [name, SERVERS[name]]));
        const edited = names.includes("a")
          ? { a: { ...SERVERS.a, env: { ...SERVERS.a.env, note } } }
          : {};
        await world.write(STORE, { mcpServers: { ...servers, ...edited } });
      };
      await write(NAMES);
      const watch = seed === 1;
      await using host = await held(world, { watch });
      const paused = new Set<string>();
      const asked: Promise<RefreshReport | void>[] = [];
      for (let step = 0; step < 40; step++) {
        const name = NAMES[random(3)] ?? "a";
        const signal = random(6) === 0 ? AbortSignal.timeout(random(80)) : undefined;
        const options = signal === undefined ? {} : { signal };
        const { session } = host;
        const acts = [
          () => session.reload({}, options),
          () => session.reload({ servers: [name] }, options),
          () => session.reload({ restart: true }, options),
          () => (paused.add(name), session.pause(name, options)),
          () => (paused.delete(name), session.resume(name)),
          () => session.retry(name, options),
          () => session.refreshMCPTools(options),
          () => write(NAMES.filter(() => random(4) > 0), String(step)),
        ];
        const work = acts[random(acts.length)]?.() ?? assert.fail();
        asked.push(work.catch((thrown) => {
          assert.ok(thrown instanceof HotplugError, String(thrown));
          const usual = ["aborted", "unknown-server", "server-not-runnable"];
          assert.ok(usual.includes(thrown.code), thrown.message);
          if (thrown.code === "unknown-server") paused.delete(name);
        }));
        if (random(3) === 0) await pause(random(60));
      }
      const reports = await Promise.all(asked);
      for (const report of reports) {
        if (report === undefined) continue;
        const { before, after, added, removed } = report;
        assert.equal(after - before, added.length - removed.length);
      }
      await write(NAMES);
      for (const name of NAMES) await host.session.resume(name).catch(() => {});
      const last = await host.session.reload();
      assert.deepEqual(NAMES.map(host.state), ["connected", "connected", "connected", "error"]);
      assert.deepEqual(last.errors.map(({ path }) => path), ["mcp:d"]);
      for (const name of ["a", "b", "c"]) assert.ok(of(host.names(), name).length > 0);
      // What was told adds up to what is on offer.
      const generations = host.told.map(({ set }) => set.generation);
      assert.deepEqual(generations, generations.toSorted((one, other) => one - other));
      if (host.told.length > 0) assert.deepEqual(host.told.at(-1)?.set, host.session.toolSet);
      const calls = await Promise.all(
        of(host.names(), "a").map((name) =>
          host.session.executor.execute(name, { text: "x", a: 1, b: 2 })
        ),
      );
      assert.ok(calls.every(({ isError }) => !isError), JSON.stringify(calls));
    },
  );
}
