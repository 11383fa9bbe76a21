import assert from "node:assert/strict";
import type { ManagerCompanion } from "../../src/runtime/manager_options.ts";
import { discoverAndLoadMCPTools, discoverMCPServers } from "../../src/session/loader.ts";
import type { Source } from "../../src/sources/source.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { withManager } from "../runtime/running_manager.ts";

withManager(
  "one call finds the servers, connects and gives tools, errors and keys",
  async (world) => {
    await world.write("home/.claude.json", {
      mcpServers: {
        memory: npmServer("memory"),
        dead: trap("dead"),
        off: { ...trap("good"), enabled: false },
        bad: { type: "stdio" },
        exa: { type: "http", url: "https://mcp.exa.ai/mcp?exaApiKey=exa-key-1234" },
      },
    });
    await world.write("project/.mcp.json", { mcpServers: { theirs: trap("good") } });
    await world.write("home/.omp/mcp.json", "{ broken");
    const loaded = await discoverAndLoadMCPTools(world.project, { machine: world.machine });
    await using manager = loaded.manager;
    assert.deepEqual(loaded.connectedServers, ["memory"]);
    assert.ok(loaded.tools.length > 0);
    assert.ok(loaded.tools.every(({ path }) => path === "mcp:memory via Claude Code"));
    assert.deepEqual(loaded.exaApiKeys, ["exa-key-1234"]);
    assert.deepEqual(
      loaded.errors.map(({ path }) => path).toSorted(),
      [`${world.home}/.omp/mcp.json`, "mcp:bad", "mcp:dead"].toSorted(),
    );
    const states = Object.fromEntries(manager.getServers().map(({ name, state }) => [name, state]));
    assert.deepEqual(states, {
      memory: "connected",
      dead: "error",
      off: "disabled",
      bad: "error",
      exa: "filtered",
      theirs: "untrusted",
    });
  },
);

withManager("with enableMCP false nothing is discovered", async (world) => {
  const asked: string[] = [];
  const spy: Source = {
    id: "spy",
    label: "Spy",
    read: (context) => {
      asked.push(context.workspacePath);
      return Promise.resolve({ definitions: [], reports: [], switches: [] });
    },
  };
  const options = { machine: world.machine, extraSources: [spy] };
  const loaded = await discoverAndLoadMCPTools(world.project, { ...options, enableMCP: false });
  assert.deepEqual(loaded.tools, []);
  assert.deepEqual(loaded.errors, []);
  assert.deepEqual(asked, []);
  await discoverAndLoadMCPTools(world.project, options);
  assert.deepEqual(asked, [world.project]);
});

withManager("a failing discovery gives no tools and one error named .mcp.json", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { good: trap("good") } });
  await world.write("project/.mcp.json", { mcpServers: { theirs: trap("good") } });
  const loaded = await discoverAndLoadMCPTools(world.project, {
    machine: world.machine,
    trust: () => {
      throw new Error("the host's own rule broke");
    },
  });
  assert.deepEqual(loaded.tools, []);
  assert.deepEqual(loaded.connectedServers, []);
  assert.equal(loaded.errors.length, 1);
  assert.equal(loaded.errors[0]?.path, ".mcp.json");
  assert.equal(loaded.errors[0]?.error.code, "discovery-failed");
});

withManager("an abort rejects and leaves nothing", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { hung: trap("hang") } });
  const controller = new AbortController();
  const loading = discoverAndLoadMCPTools(world.project, {
    machine: world.machine,
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(), 300);
  await assert.rejects(loading, { code: "aborted" });
});

withManager("discoverMCPServers has the same shape, for the machine's folder", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { good: trap("good") } });
  const loaded = await discoverMCPServers({ machine: world.machine });
  await using _manager = loaded.manager;
  assert.deepEqual(Object.keys(loaded).toSorted(), [
    "connectedServers",
    "errors",
    "exaApiKeys",
    "manager",
    "tools",
  ]);
  assert.deepEqual(loaded.connectedServers, ["good"]);
});

withManager("the manager can discover again and connects what is new", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { a: trap("good") } });
  const { manager } = await discoverAndLoadMCPTools(world.project, { machine: world.machine });
  await using _closing = manager;
  await world.write("home/.claude.json", {
    mcpServers: { a: trap("good"), b: trap("good", "other") },
  });
  const { connectedServers } = await manager.discoverAndConnect();
  assert.deepEqual(connectedServers, ["a", "b"]);
});

withManager("what a host lets live with its servers starts and stops with them", async (world) => {
  await world.write("home/.claude.json", { mcpServers: { a: trap("good") } });
  const told: string[] = [];
  const companion: ManagerCompanion = {
    start: () => void told.push("start"),
    stop(): Promise<void> {
      told.push("stop");
      return Promise.resolve();
    },
  };
  const { machine } = world;
  const options = { machine, companions: [companion] };
  const { manager } = await discoverAndLoadMCPTools(world.project, options);
  assert.deepEqual(told, ["start"]);
  await manager.disconnectAll();
  assert.deepEqual(told, ["start", "stop"]);
});
