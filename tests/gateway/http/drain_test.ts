import assert from "node:assert/strict";
import { e2e, ON_LINUX } from "../../harness/e2e.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import type { Message } from "../raw_host.ts";
import { errorCode, Events, json, Served } from "./served.ts";

// After each of these no process of the home may be alive: `e2e` looks.

/** Waits until a tool is on offer. */
async function offered(served: Served, tool: string): Promise<void> {
  await until(async () => {
    const { result } = await json(await served.modern("tools/list"));
    const tools = (result as Message)["tools"] as readonly Message[];
    return tools.some(({ name }) => name === tool);
  }, 20_000);
}

e2e(
  "SIGTERM lets what runs end, answers those who listen and takes nothing new",
  async (world) => {
    await world.userServers({ late: trap("late", "2000") });
    const trace = `${world.root}/trace`;
    await using served = await Served.start(world, { args: ["--trace", trace] });
    await offered(served, "late_go");
    const session = await served.initialize();
    await using own = new Events(
      await served.fetch("/mcp", { headers: { ...session, accept: "text/event-stream" } }),
    );
    const wanted = { notifications: { toolsListChanged: true } };
    await using listening = new Events(await served.modern("subscriptions/listen", wanted));
    await listening.of("notifications/subscriptions/acknowledged");
    const calls = [
      served.post(served.message("tools/call", { name: "late_go" }), session),
      served.modern("tools/call", { name: "late_go" }),
    ];
    await until(async () =>
      (await Deno.readTextFile(trace)).split(/"name":"go","arg/).length === 3
    );
    served.kill("SIGTERM");
    await until(() => listening.isOver);
    const { result } = listening.messages.at(-1) ?? {};
    assert.equal((result as Message)["resultType"], "complete");
    const health = await served.fetch("/healthz");
    assert.equal((await json(health, 503))["status"], "draining");
    const refused = await served.modern("server/discover");
    assert.equal(refused.headers.get("retry-after"), "5");
    assert.equal(await errorCode(refused, 503), -32000);
    assert.equal(await errorCode(await served.post(served.message("ping"), session), 503), -32000);
    for (const call of calls) {
      const answer = await json(await call);
      const [first] = (answer["result"] as Message)["content"] as readonly Message[];
      assert.equal(first?.["text"], "late but here");
    }
    assert.equal(await served.ended, 143, served.stderr);
    await until(() => own.isOver);
  },
  ON_LINUX,
);

for (const [signal, code] of [["SIGINT", 130], ["SIGHUP", 129]] as const) {
  e2e(`${signal} waits a moment for what hangs, then ends it with all servers`, async (world) => {
    await world.userServers({ hung: trap("hang-call"), stubborn: trap("stubborn") });
    const trace = `${world.root}/trace`;
    await using served = await Served.start(world, { args: ["--trace", trace] });
    await offered(served, "hung_go");
    const session = await served.initialize();
    const calls = [
      served.modern("tools/call", { name: "hung_go" }),
      served.post(served.message("tools/call", { name: "hung_go" }), session),
    ];
    await until(async () =>
      (await Deno.readTextFile(trace)).split(/"name":"go","arg/).length === 3
    );
    served.kill(signal);
    // A client that was told nothing would wait for as long as it waits for any answer.
    for (const call of calls) assert.equal(await errorCode(await call, 200), -32000);
    assert.equal(await served.ended, code, served.stderr);
  }, ON_LINUX);
}

e2e("a second signal ends it at once", async (world) => {
  await world.userServers({ hung: trap("hang-call") });
  const trace = `${world.root}/trace`;
  await using served = await Served.start(world, { args: ["--trace", trace] });
  await offered(served, "hung_go");
  const call = served.modern("tools/call", { name: "hung_go" }).then(
    async (response) => void await response.body?.cancel(),
    () => {},
  );
  await until(async () => (await Deno.readTextFile(trace)).includes('"name":"go","arg'));
  served.kill("SIGTERM");
  await until(async () => {
    const health = await served.fetch("/healthz");
    await health.body?.cancel();
    return health.status === 503;
  });
  const start = performance.now();
  served.kill("SIGTERM");
  assert.equal(await served.ended, 143, served.stderr);
  assert.ok(performance.now() - start < 9_000, "the time to drain was waited for");
  await call;
}, ON_LINUX);
