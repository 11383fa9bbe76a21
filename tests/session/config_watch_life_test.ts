import assert from "node:assert/strict";
import { join } from "node:path";
import { discoverAndLoadMCPTools } from "../../src/session/loader.ts";
import { startSdkServer } from "../harness/http_servers.ts";
import { withManager } from "../runtime/running_manager.ts";
import { good, pause, stays, STORE, until, watching } from "./watching_manager.ts";

withManager(
  "servers of every transport start at once, without waiting for a change [G20]",
  async (world) => {
    const http = await startSdkServer(world, "legacy");
    try {
      await world.write(STORE, {
        mcpServers: { a: good("a"), b: { type: "http", url: http.url } },
      });
      await world.write("home/.cursor/mcp.json", { mcpServers: { c: good("c") } });
      await using watched = await watching(world);
      assert.deepEqual(["a", "b", "c"].map(watched.state), ["connected", "connected", "connected"]);
      await stays(watched);
    } finally {
      await http.close();
    }
  },
);

withManager("a change before the watching began takes effect, too [G04] [G20]", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const watched = await watching(world, {
    onServer: ({ state }) => {
      if (state !== "connecting") return;
      Deno.writeTextFileSync(
        join(world.home, ".claude.json"),
        JSON.stringify({ mcpServers: { a: good("a"), b: good("b") } }),
      );
    },
  });
  await using _closing = watched;
  await until("b starts", () => watched.state("b") === "connected");
});

withManager(
  "after the end nothing is watched, and later servers are watched anew",
  async (world) => {
    await world.write(STORE, { mcpServers: { a: good("a") } });
    await using watched = await watching(world);
    await watched.manager.disconnectAll();
    await world.write(STORE, { mcpServers: { a: good("a"), b: good("b") } });
    await stays(watched);
    assert.equal(watched.state("b"), undefined);
    await watched.manager.discoverAndConnect();
    assert.equal(watched.state("b"), "connected");
    await world.write(STORE, { mcpServers: { b: good("b") } });
    await until("a goes", () => watched.state("a") === undefined);
  },
);

withManager("the settings can ask for it, and the host has the last word", async (world) => {
  await world.write(join(world.config, "settings.json"), { watch: true });
  await world.write(STORE, { mcpServers: { a: good("a") } });
  const { manager } = await discoverAndLoadMCPTools(world.project, { machine: world.machine });
  await using _closing = manager;
  const host = await discoverAndLoadMCPTools(world.project, {
    machine: world.machine,
    watch: false,
  });
  await using _host = host.manager;
  await world.write(STORE, { mcpServers: {} });
  await until("a goes", () => manager.getServers().length === 0);
  assert.equal(host.manager.getServers()[0]?.state, "connected");
});

withManager("a failing discovery changes nothing", async (world) => {
  await world.write(STORE, { mcpServers: { a: good("a") } });
  await world.write("project/.mcp.json", { mcpServers: { theirs: good("theirs") } });
  let breaks = false;
  await using watched = await watching(world, {
    trust: () => {
      if (breaks) throw new Error("the host's own rule broke");
      return false;
    },
  });
  const pid = watched.pid("a");
  await pause(300);
  breaks = true;
  await world.write(STORE, { mcpServers: {} });
  await until("it is told", () => watched.reports.length > 0);
  assert.deepEqual(watched.reports.map(({ errors }) => errors[0]?.path), [".mcp.json"]);
  await world.write(STORE, { mcpServers: {}, more: 1 });
  await stays(watched);
  assert.equal(watched.pid("a"), pid);
  breaks = false;
  await world.write(STORE, { mcpServers: {}, more: 2 });
  await until("a goes", () => watched.state("a") === undefined);
});
