import assert from "node:assert/strict";
import { memoryToolCache } from "../../src/cache/memory_tool_cache.ts";
import type { ToolCache } from "../../src/model/cache.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { LogLevel } from "../../src/model/log.ts";
import type { ServerView } from "../../src/model/server_view.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { inHome, withManager } from "./running_manager.ts";

withManager(
  "servers connect side by side, and each failure is its own [A05] [I07]",
  async (world) => {
    const manager = world.manager();
    const { tools, errors, connectedServers } = await manager.connectServers(inHome(world, {
      good: trap("good"),
      dead: trap("dead"),
      invalid: { type: "stdio" },
      legacy: sdkServer("legacy"),
    }));
    assert.deepEqual(connectedServers, ["good", "legacy"]);
    assert.deepEqual([...errors.keys()], ["dead", "invalid"]);
    assert.equal(errors.get("dead")?.code, "server-exited");
    assert.equal(errors.get("dead")?.processExitCode, 3);
    assert.equal(errors.get("invalid")?.message, "stdio transport requires command");
    assert.ok(tools.some(({ name, path }) => name === "mcp_good_echo" && path === "mcp:good"));
    assert.ok(tools.every(({ server }) => server === "good" || server === "legacy"));
  },
);

withManager("connecting again is idempotent and keeps the process [B17]", async (world) => {
  const manager = world.manager();
  const configs = inHome(world, { pid: trap("pid") });
  await Promise.all(Array.from({ length: 5 }, () => manager.connectServers(configs)));
  const pid = manager.getConnection("pid")?.pid;
  assert.ok(typeof pid === "number");
  for (let time = 0; time < 20; time++) await manager.connectServers(configs);
  assert.equal(manager.getConnection("pid")?.pid, pid);
  const result = await manager.callTool("pid", "pid", {});
  assert.equal(result.content[0]?.["text"], String(pid));
  assert.equal(manager.getServers()[0]?.attempt, 1);
});

withManager(
  "states follow the registries, and sources are known before they are connected",
  async (world) => {
    const manager = world.manager();
    const source = {
      id: "mcp-json",
      label: ".mcp.json",
      scope: "user",
      path: `${world.project}/.mcp.json`,
      line: 3,
      rank: 80,
      dialect: "hotplug",
      environment: "base",
      store: false,
    } as const;
    assert.equal(manager.getConnectionStatus("slow"), "disconnected");
    const connecting = manager.connectServers(
      inHome(world, { slow: trap("slow", "300") }),
      { slow: source },
    );
    assert.equal(manager.getConnectionStatus("slow"), "connecting");
    assert.equal(manager.getSource("slow"), source);
    assert.equal(manager.getConnection("slow"), undefined);
    const { tools } = await connecting;
    assert.equal(manager.getConnectionStatus("slow"), "connected");
    assert.equal(tools[0]?.path, "mcp:slow via .mcp.json");
    await manager.disconnectServer("slow");
    assert.equal(manager.getConnectionStatus("slow"), "disconnected");
    assert.equal(manager.getSource("slow"), undefined);
    assert.deepEqual(manager.getTools(), []);
  },
);

withManager(
  "a cached server's tools are there at the gate, and a call waits for it",
  async (world) => {
    const configs = inHome(world, { slow: trap("slow", "900") });
    const first = world.manager();
    await first.connectServers(configs);
    await first.settled();
    await first.disconnectAll();

    const changes: number[] = [];
    const manager = world.manager({
      onToolsChanged: () => changes.push(manager.getTools().length),
    });
    const { tools, connectedServers } = await manager.connectServers(configs);
    assert.deepEqual(connectedServers, []);
    const echo = tools.find(({ name }) => name === "mcp_slow_echo");
    assert.ok(echo !== undefined, "the tool is known from the cache");
    const view = manager.getServers()[0];
    assert.equal(view?.state, "connecting");
    assert.equal(view?.tools, tools.length);
    assert.ok((view?.cachedAgeMs ?? -1) >= 0);
    const result = await echo.execute({ text: "hello" });
    assert.equal(result.isError, false);
    assert.deepEqual(result.content, [{ type: "text", text: "hello" }]);
    await manager.settled();
    assert.equal(
      manager.getServers()[0]?.cachedAgeMs,
      null,
      "the live list replaced the cached one",
    );
    assert.deepEqual(changes, [tools.length], "the live list is the same, which is no news");
  },
);

withManager(
  "a server whose last start failed is known for that until it has listed",
  async (world) => {
    const servers = { bad: trap("dead"), s: trap("good") };
    const first = world.manager();
    await first.connectServers(inHome(world, servers));
    await first.settled();
    assert.equal(first.hasFailedBefore("bad"), false, "nothing was known of it");
    await first.disconnectAll();
    const manager = world.manager();
    await manager.connectServers(inHome(world, servers));
    await manager.settled();
    assert.equal(manager.hasFailedBefore("bad"), true);
    assert.equal(manager.hasFailedBefore("s"), false);
    assert.equal(manager.hasFailedBefore("nobody"), false);
  },
);

withManager("an abort while a deferred call waits stays an abort", async (world) => {
  const configs = inHome(world, { slow: trap("slow", "800") });
  const first = world.manager();
  await first.connectServers(configs);
  await first.disconnectAll();
  const manager = world.manager();
  const { tools } = await manager.connectServers(configs);
  const controller = new AbortController();
  const call = tools[0]?.execute({ text: "x" }, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call ?? Promise.resolve(), { code: "aborted" });
});

withManager("a server that failed last time holds no later start [I01]", async (world) => {
  const configs = inHome(world, {
    hung: { ...trap("hang"), startupTimeout: 400 },
    good: trap("good"),
  });
  const first = world.manager();
  const { errors } = await first.connectServers(configs);
  assert.equal(errors.get("hung")?.code, "start-timeout");
  await first.settled();
  await first.disconnectAll();

  const slower = inHome(world, {
    hung: { ...trap("hang"), startupTimeout: 60_000 },
    good: trap("good"),
  });
  const manager = world.manager();
  const { tools } = await manager.connectServers(slower);
  assert.equal(manager.getConnectionStatus("hung"), "connecting");
  assert.ok(tools.some(({ server }) => server === "good"));
});

withManager("an abort of the start closes what it started, and nothing else", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { good: trap("good") }));
  const controller = new AbortController();
  const connecting = manager.connectServers(
    inHome(world, { good: trap("good"), hung: trap("hang") }),
    {},
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(), 200);
  await assert.rejects(connecting, { code: "aborted" });
  assert.equal(manager.getConnectionStatus("hung"), "disconnected");
  assert.equal(manager.getConnectionStatus("good"), "connected");
});

withManager(
  "a server that was disconnected while it started does not come back [G10] [G11]",
  async (world) => {
    const manager = world.manager({ onMissingCache: "late" });
    const configs = inHome(world, { slow: trap("slow", "500") });
    await manager.connectServers(configs);
    await manager.disconnectServer("slow");
    assert.equal(manager.getConnectionStatus("slow"), "disconnected");
    assert.deepEqual(manager.getTools(), []);
    await manager.settled();
    assert.equal(manager.getConnection("slow"), undefined);
    await manager.connectServers(configs);
    await manager.settled();
    assert.equal(manager.getConnectionStatus("slow"), "connected", "it can be started anew [G08]");
  },
);

withManager("a late server joins by itself, and a late failure is logged", async (world) => {
  const lines: [LogLevel, string][] = [];
  const manager = world.manager({
    onMissingCache: "late",
    gateMs: 10,
    log: { log: (level, message) => lines.push([level, message]) },
  });
  const result = await manager.connectServers(inHome(world, {
    slow: trap("slow", "300"),
    dead: trap("dead"),
  }));
  assert.deepEqual(result.tools, []);
  assert.equal(result.errors.size, 0);
  await manager.settled();
  assert.ok(manager.getTools().length > 0);
  assert.equal(lines.filter(([, message]) => message === "Server failed").length, 1);
  const dead = manager.getServers().find(({ name }) => name === "dead");
  assert.equal(dead?.state, "error");
});

withManager(
  "a dropped connection stays registered, says why, and is opened anew on request [B07] [O17]",
  async (world) => {
    const manager = world.manager({ autoReconnect: false });
    const configs = inHome(world, { x: trap("exit-in-call") });
    const { tools } = await manager.connectServers(configs);
    const tool = tools.find(({ name }) => name === "mcp_x_go");
    assert.ok(tool !== undefined);
    const first = await tool.execute({});
    assert.equal(first.isError, true);
    const text = first.content[0]?.type === "text" ? first.content[0].text : "";
    assert.match(text, /^MCP error: .*code 3/);
    const again = await tool.execute({});
    assert.match(JSON.stringify(again.content), /MCP error: /);
    assert.equal(manager.getConnectionStatus("x"), "disconnected");
    assert.ok(manager.getConnection("x") !== undefined, "it stays registered");
    await manager.connectServers(configs);
    await manager.settled();
    assert.equal(manager.getConnectionStatus("x"), "connected");
    assert.equal(manager.getServers()[0]?.attempt, 2);
  },
);

withManager("a cache that fails or hangs harms nothing", async (world) => {
  const lines: string[] = [];
  const failing = {
    get: () => Promise.reject(new Error("disk broken")),
    set: () => Promise.reject(new Error("disk full")),
  };
  const hanging = {
    get: () => new Promise<null>(() => {}),
    set: () => new Promise<void>(() => {}),
  };
  for (const toolCache of [failing, hanging]) {
    const manager = world.manager({
      toolCache,
      log: { log: (_level, message) => lines.push(message) },
    });
    const configs = inHome(world, { good: trap("good") });
    assert.deepEqual((await manager.connectServers(configs)).connectedServers, ["good"]);
    await manager.disconnectAll();
  }
  assert.ok(lines.includes("Cannot write the tool cache"));
});

withManager("a slow cache does not cost a good list when the server fails [D17]", async (world) => {
  const inner = memoryToolCache();
  const configs = inHome(world, {
    x: { ...trap("good"), env: { ...trap("good").env, MODE: "1" } },
  });
  const first = world.manager({ toolCache: inner });
  await first.connectServers(configs);
  await first.disconnectAll();
  const kept: (number | undefined)[] = [];
  const slow: ToolCache = {
    get: async (key) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return await inner.get(key);
    },
    set: (_key, entry) => {
      kept.push(entry.failure === null ? undefined : entry.tools?.length);
      return Promise.resolve();
    },
  };
  const manager = world.manager({ toolCache: slow });
  const start = { x: { ...configs["x"], startupTimeout: 1 } };
  const { errors } = await manager.connectServers(start);
  assert.equal(errors.get("x")?.code, "start-timeout");
  await manager.disconnectAll();
  assert.deepEqual(kept.map((count) => (count ?? 0) > 0), [true]);
});

withManager(
  "a tool that says something else than the last time is told of [H03]",
  async (world) => {
    const toolCache = memoryToolCache();
    const configs = inHome(world, { good: trap("good") });
    const first = world.manager({ toolCache });
    await first.connectServers(configs);
    await first.disconnectAll();
    const changing: ToolCache = {
      get: async (key) => {
        const entry = await toolCache.get(key);
        const tools = entry?.tools?.map((tool) => ({ ...tool, description: "Once it said this" }));
        return entry === null ? null : { ...entry, tools: tools ?? null };
      },
      set: () => Promise.resolve(),
    };
    const manager = world.manager({ toolCache: changing });
    await manager.connectServers(configs);
    await manager.settled();
    const told = (): readonly string[] =>
      (manager.getServers()[0]?.warnings ?? []).filter((warning) => warning.includes('"echo"'));
    assert.equal(told().length, 1, String(manager.getServers()[0]?.warnings));
    await manager.restartServer("good");
    await manager.settled();
    assert.equal(told().length, 1, "the same is told once");
  },
);

withManager("names can be made with a short key of the server [C6]", async (world) => {
  const manager = world.manager({ naming: "key" });
  const { tools } = await manager.connectServers(inHome(world, { good: trap("good") }));
  assert.ok(tools.every(({ name }) => /^c[0-9a-z]{5}_/.test(name)));
});

withManager("what a host's callback throws stops nothing", async (world) => {
  const lines: string[] = [];
  const manager = world.manager({
    onServer: () => {
      throw new Error("host");
    },
    onToolsChanged: () => {
      throw new Error("host");
    },
    log: { log: (_level, message) => lines.push(message) },
  });
  const { connectedServers } = await manager.connectServers(inHome(world, { good: trap("good") }));
  assert.deepEqual(connectedServers, ["good"]);
  assert.ok(lines.includes("A callback of the host has thrown"));
});

withManager("every change of a row is told, in order", async (world) => {
  const views: ServerView[] = [];
  const manager = world.manager({ onServer: (view) => views.push(view) });
  await manager.connectServers(inHome(world, { good: trap("good") }));
  await manager.settled();
  const states = views.map(({ state }) => state);
  assert.deepEqual([...new Set(states)], ["connecting", "connected"]);
  const last = views.at(-1);
  assert.equal(last?.protocol?.era, "legacy");
  assert.equal(last?.server?.name, "good");
  assert.ok((last?.elapsedMs ?? -1) >= 0);
  assert.ok(typeof last?.pid === "number");
});

withManager("lists of a server that does not run are empty, not an error [C7]", (world) => {
  const manager = world.manager();
  assert.deepEqual(manager.listTools("off"), []);
  assert.deepEqual(manager.listResources("off"), []);
  assert.deepEqual(manager.listResourceTemplates("off"), []);
  assert.deepEqual(manager.listPrompts("off"), []);
  return Promise.resolve();
});

withManager("unknown servers and tools are named with a suggestion", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { good: trap("good") }));
  const server = await manager.callTool("goood", "echo", {}).catch((error: unknown) => error);
  assert.ok(server instanceof HotplugError);
  assert.equal(server.code, "unknown-server");
  assert.equal(server.hint, 'Did you mean "good"?');
  const tool = await manager.callTool("good", "ecoh", {}).catch((error: unknown) => error);
  assert.ok(tool instanceof HotplugError);
  assert.equal(tool.code, "unknown-tool");
  assert.equal(tool.hint, 'Did you mean "echo"?');
});

withManager("a definition's filters hide tools from lists and calls alike", async (world) => {
  const manager = world.manager();
  const { tools } = await manager.connectServers(
    inHome(world, { good: { ...trap("good"), disabledTools: ["ec*"] } }),
  );
  assert.ok(tools.every(({ name }) => name !== "mcp_good_echo"));
  await assert.rejects(manager.callTool("good", "echo", {}), { code: "unknown-tool" });
});

withManager(
  "tools stand in the order of the definitions, whoever comes first [D14]",
  async (world) => {
    const manager = world.manager();
    const { tools } = await manager.connectServers(inHome(world, {
      late: trap("slow", "400"),
      early: trap("good"),
    }));
    const servers = [...new Set(tools.map(({ server }) => server))];
    assert.deepEqual(servers, ["late", "early"]);
  },
);

withManager("fifty starts that time out leave no process [G11]", async (world) => {
  const manager = world.manager({ toolCache: null });
  const hung = { command: "sleep", args: ["600"], startupTimeout: 20 };
  const names = Array.from({ length: 25 }, (_, index) => `hung-${index}`);
  const configs = inHome(world, Object.fromEntries(names.map((name) => [name, hung])));
  for (let time = 0; time < 2; time++) {
    const { errors } = await manager.connectServers(configs);
    assert.deepEqual(
      [...errors.values()].map(({ code }) => code),
      names.map(() => "start-timeout"),
    );
  }
});

withManager("a tool that a server adds while it is connected is offered [D10]", async (world) => {
  const grown = Promise.withResolvers<void>();
  const manager = world.manager({
    onToolsChanged: () => {
      if (manager.getTools().some(({ name }) => name === "mcp_x_late")) grown.resolve();
    },
  });
  const { tools } = await manager.connectServers(inHome(world, { x: trap("grows", "100") }));
  assert.ok(tools.every(({ name }) => name !== "mcp_x_late"));
  await grown.promise;
  const late = manager.getTools().find(({ name }) => name === "mcp_x_late");
  assert.equal((await late?.execute({}))?.isError, false);
});
