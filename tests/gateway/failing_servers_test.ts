import assert from "node:assert/strict";
import { e2e, ON_LINUX } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { processesOfHome } from "../harness/living_processes.ts";
import { until } from "../harness/until.ts";
import { type Message, RawHost } from "./raw_host.ts";

/** The first text of a result. */
function textOf(result: Message): string {
  const [first] = result["content"] as readonly Message[];
  return String(first?.["text"]);
}

/** What a list says of each server. */
async function outcomes(host: RawHost): Promise<Readonly<Record<string, Message>>> {
  const { result } = await host.ask("tools/list");
  const meta = (result as Message)["_meta"] as Message;
  return meta["dev.hotplug/servers"] as Record<string, Message>;
}

e2e(
  "a server that dies in a call costs that call alone, as an error that a model reads",
  async (world) => {
    await world.userServers({
      s: trap("crash-once", `${world.root}/crashed`),
      other: trap("good"),
    });
    await using host = new RawHost(world);
    await host.initialize();
    await host.listing("s_act");
    await host.listing("other_echo");
    const failed = await host.call("s_act");
    assert.equal(failed["isError"], true, JSON.stringify(failed));
    assert.match(textOf(failed), /^MCP error: /);
    const { "dev.hotplug/error": error } = failed["_meta"] as Record<string, Message>;
    assert.equal(error?.["server"], "s");
    assert.equal(textOf(await host.call("other_echo", { text: "here" })), "here");
    const next = await host.call("s_act");
    assert.match(textOf(next), /^\d+$/, JSON.stringify(next));
    assert.ok((await host.tools()).includes("s_act"));
  },
);

e2e("an error that a server answers with comes as it is", async (world) => {
  await world.userServers({ s: trap("error-shapes") });
  await using host = new RawHost(world);
  await host.initialize();
  await host.listing("s_with-data");
  assert.deepEqual(await host.call("s_with-data"), {
    error: { code: -32001, message: "quota", data: { retryAfter: 30 } },
  });
  assert.deepEqual(await host.call("s_plain"), { error: { code: -32603, message: "it broke" } });
});

e2e(
  "dead, hung and broken servers are named in the list and keep no tool of others away",
  async (world) => {
    await world.userServers({
      good: trap("good"),
      dead: trap("dead"),
      missing: { command: "/nonexistent/program" },
      hung: trap("hang"),
      broken: trap("list-error"),
    });
    // This kind of host asks again when it is told to, so it is not kept waiting.
    await using host = new RawHost(world, { args: ["--for", "opencode"] });
    await host.initialize();
    await host.listing("good_echo");
    await until(() => /MCP unavailable.*"server":"dead"/.test(host.stderr));
    // The hung one would hold a start up for 30 seconds.
    const servers = await outcomes(host);
    assert.equal(servers["good"]?.["state"], "connected");
    assert.equal(servers["hung"]?.["state"], "connecting");
    for (const name of ["dead", "missing"]) {
      assert.notEqual(servers[name]?.["error"], null, JSON.stringify(servers));
    }
  },
);

e2e(
  "a late server is announced to a host that asks again, and its tools can be called",
  async (world) => {
    const soon = trap("slow", "200");
    await world.userServers({ s: trap("good"), soon, late: trap("slow", "4000") });
    await using host = new RawHost(world, { args: ["--for", "opencode"] });
    await host.initialize();
    // One that was never seen gets a moment, so that the first request has its tools.
    const first = await host.tools();
    assert.ok(first.includes("soon_echo") && !first.includes("late_echo"), String(first));
    const isNotice = ({ method }: Message): boolean =>
      method === "notifications/tools/list_changed";
    const before = host.messages.filter(isNotice).length;
    await host.first(() => host.messages.filter(isNotice).length > before);
    await host.listing("late_echo");
    assert.equal(textOf(await host.call("late_echo", { text: "x" })), "x");
  },
);

e2e(
  "a host that asks only once gets its first list late rather than without a new server",
  async (world) => {
    await world.userServers({ s: trap("good"), late: trap("slow", "1500") });
    for (const args of [["--for", "cline"], []]) {
      await Deno.remove(world.cache, { recursive: true }).catch(() => {});
      await using host = new RawHost(world, { args });
      await host.initialize();
      const tools = await host.tools();
      assert.ok(tools.includes("late_echo") && tools.includes("s_echo"), String(tools));
    }
  },
);

e2e("a call of a tool whose server is still on its way waits for it", async (world) => {
  await world.userServers({ late: trap("slow", "1500") });
  await using host = new RawHost(world, { args: ["--for", "opencode"] });
  await host.initialize();
  assert.equal(textOf(await host.call("late_echo", { text: "early" })), "early");
});

e2e(
  "a very large answer passes, and one beyond all bounds costs its server alone",
  async (world) => {
    await world.userServers({
      big: trap("big-answer", String(20 * 1024 * 1024)),
      endless: trap("unbounded-line"),
      s: trap("good"),
    });
    await using host = new RawHost(world);
    await host.initialize();
    await host.listing("big_go");
    assert.equal(textOf(await host.call("big_go")).length, 20 * 1024 * 1024);
    const lost = await host.call("endless_go");
    assert.equal(lost["isError"], true);
    assert.match(textOf(lost), /^MCP error: /);
    assert.equal(textOf(await host.call("s_echo", { text: "still" })), "still");
  },
);

e2e("a host that only asks what is spoken starts no server", async (world) => {
  await world.userServers({ s: trap("good") });
  await using host = new RawHost(world);
  const { result } = await host.ask("server/discover");
  const answer = result as Message;
  assert.deepEqual(answer["supportedVersions"], ["2026-07-28"]);
  assert.match(String(answer["instructions"]), /1 MCP server.*"s"/);
  assert.equal(answer["resultType"], "complete");
  await host.ask("ping");
  const servers = (await processesOfHome(world.home)).filter(({ commandLine }) =>
    commandLine.includes("trap.ts")
  );
  assert.deepEqual(servers, []);
  // It may still go on in the legacy era.
  await host.initialize();
  await host.listing("s_echo");
}, ON_LINUX);

e2e(
  "a revision of the modern era that is not spoken is refused with those that are",
  async (world) => {
    await using host = new RawHost(world);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2031-01-01",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const { error } = await host.ask("tools/list", { _meta });
    assert.deepEqual(error, {
      code: -32022,
      message: "Unsupported protocol version: 2031-01-01",
      data: { supported: ["2026-07-28"], requested: "2031-01-01" },
    });
  },
);
