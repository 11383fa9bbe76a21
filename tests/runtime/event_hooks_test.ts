import assert from "node:assert/strict";
import type {
  AfterCallEvent,
  BeforeConnectEvent,
  EventHooks,
  ServerStateEvent,
  ToolsChangedEvent,
} from "../../src/model/event_hooks.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { SourceInfo } from "../../src/model/source.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { CallToolResult } from "../../src/model/tool.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { inHome, withManager } from "./running_manager.ts";

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => String(block["text"])).join("");

async function failure(call: Promise<unknown>): Promise<HotplugError> {
  const thrown = await call.then(() => null, (error: unknown) => error);
  assert.ok(thrown instanceof HotplugError, `${thrown}`);
  return thrown;
}

withManager("a call is vetoed, rewritten and told of, over every way to a tool", async (world) => {
  const told: AfterCallEvent[] = [];
  const guard: EventHooks = {
    name: "the guard",
    beforeCall: ({ server, tool, arguments: args }) => {
      assert.deepEqual([server, tool], ["every", "echo"]);
      if (args["message"] === "secret") return { veto: "secrets stay here" };
      return args["message"] === "a" ? { arguments: { message: "b" } } : undefined;
    },
    afterCall: (event) => void told.push(event),
  };
  const manager = world.manager({ hooks: [guard] });
  await manager.connectServers(inHome(world, { every: npmServer("everything") }));
  assert.equal(textOf(await manager.callTool("every", "echo", { message: "a" })), "Echo: b");
  assert.equal(textOf(await manager.callTool("every", "echo", { message: "c" })), "Echo: c");
  const error = await failure(manager.callTool("every", "echo", { message: "secret" }));
  assert.equal(error.code, "blocked-by-hook");
  assert.equal(error.message, `Cannot call "echo" of "every": secrets stay here`);
  assert.equal(error.hint, "Stopped by the guard");
  const tool = manager.getTools().find(({ info }) => info.name === "echo");
  const rendered = await tool?.execute({ message: "secret" });
  assert.equal(rendered?.isError, true);
  assert.match(JSON.stringify(rendered?.content), /MCP error: .*secrets stay here/);
  await until(() => told.length === 4);
  const [first, , third] = told;
  assert.deepEqual(first?.arguments, { message: "b" });
  assert.deepEqual(first?.result, {
    isError: false,
    content: [{ type: "text", size: 7 }],
    structured: false,
  });
  assert.equal(third?.error?.code, "blocked-by-hook");
  assert.equal(third?.result, null);
});

withManager("a hook that throws or answers nonsense stops the call", async (world) => {
  let answer: () => unknown = () => undefined;
  const hooks = [{ beforeCall: () => answer() }] as unknown as readonly EventHooks[];
  const manager = world.manager({ hooks });
  await manager.connectServers(inHome(world, { it: trap("good") }));
  const call = (): Promise<CallToolResult> => manager.callTool("it", "echo", { text: "x" });
  await call();
  for (
    const wrong of [
      () => "no",
      () => ({ arguments: [] }),
      () => ({ vote: "x" }),
      () => Promise.reject(new Error("out of order")),
      () => {
        throw new DOMException("Timed out", "TimeoutError");
      },
    ]
  ) {
    answer = wrong;
    const error = await failure(call());
    assert.equal(error.code, "hook-failed", `${wrong}`);
    assert.match(error.message, /^Cannot ask a hook of the host: /);
  }
});

withManager("a hook that hangs holds a call up no longer than its caller waits", async (world) => {
  let seen: AbortSignal | null = null;
  const hooks: readonly EventHooks[] = [{
    beforeCall: (_event, { signal }) => {
      seen = signal;
      return new Promise(() => {});
    },
  }];
  const manager = world.manager({ hooks });
  await manager.connectServers(inHome(world, { it: trap("good") }));
  const caller = new AbortController();
  const call = failure(manager.callTool("it", "echo", {}, { signal: caller.signal }));
  await until(() => seen !== null);
  caller.abort();
  assert.equal((await call).code, "aborted");
  assert.equal((seen as AbortSignal | null)?.aborted, true);
});

withManager(
  "a hook that is asked while all is closed is told, and its call ends",
  async (world) => {
    let seen: AbortSignal | null = null;
    const hooks: readonly EventHooks[] = [{
      beforeCall: (_event, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    }];
    const manager = world.manager({ hooks });
    await manager.connectServers(inHome(world, { it: trap("good") }));
    const call = failure(manager.callTool("it", "echo", {}));
    await until(() => seen !== null);
    await manager.disconnectAll();
    assert.equal((seen as AbortSignal | null)?.aborted, true);
    const { code, message } = await call;
    assert.deepEqual([code, message], [
      "not-connected",
      `Cannot call "echo" of "it": all was ended`,
    ]);
  },
);

withManager("a vetoed server is blocked, starts nothing, and starts once it may", async (world) => {
  const mark = `${world.root}/ran`;
  let veto: string | null = "not this one";
  const asked: BeforeConnectEvent[] = [];
  const hooks: readonly EventHooks[] = [{
    beforeConnect: (event) => {
      asked.push(event);
      return veto === null || event.server !== "bad" ? undefined : { veto };
    },
  }];
  const manager = world.manager({ hooks });
  const servers = { bad: trap("marker", mark), good: trap("good") };
  const { errors, connectedServers } = await manager.connectServers(inHome(world, servers));
  assert.deepEqual(connectedServers, ["good"]);
  assert.equal(errors.get("bad")?.code, "blocked-by-hook");
  assert.equal(errors.get("bad")?.message, `Cannot start "bad": not this one`);
  assert.equal(manager.getServers().find(({ name }) => name === "bad")?.state, "blocked");
  await assert.rejects(() => Deno.stat(mark), Deno.errors.NotFound);
  // A call does not ask again; whoever asks for the server does.
  const count = asked.length;
  await failure(manager.callTool("bad", "echo", {}));
  assert.equal(asked.length, count);
  veto = null;
  await manager.restartServer("bad");
  assert.equal(manager.getConnectionStatus("bad"), "connected");
  await Deno.stat(mark);
});

withManager("a hook that fails stops the start, and the next call tries again", async (world) => {
  let broken = true;
  const hooks: readonly EventHooks[] = [{
    beforeConnect: () => {
      if (broken) throw new Error("out of order");
    },
  }];
  const manager = world.manager({ hooks });
  const { errors } = await manager.connectServers(inHome(world, { it: trap("good") }));
  assert.equal(errors.get("it")?.code, "hook-failed");
  assert.equal(manager.getServers()[0]?.state, "error");
  broken = false;
  await manager.callTool("it", "echo", { text: "x" });
  assert.equal(manager.getConnectionStatus("it"), "connected");
});

withManager(
  "no hook is told of a definition's secrets, only of their names [H08]",
  async (world) => {
    const told: string[] = [];
    const note = (event: unknown): void => void told.push(JSON.stringify(event));
    const hooks: readonly EventHooks[] = [{
      beforeConnect: note,
      beforeCall: note,
      afterCall: note,
      serverState: note,
      toolsChanged: note,
    }];
    const env = { ...world.machine.env, TOKEN: "tok-from-environment-1" };
    const manager = world.manager({ hooks, machine: { ...world.machine, env } });
    const source: SourceInfo = {
      id: "store",
      label: "Hotplug store",
      scope: "user",
      path: `${world.config}/mcp.json`,
      line: 3,
      rank: 100,
      dialect: "hotplug",
      environment: "base",
      store: true,
    };
    const local = trap("good", "--api-key=sk-argument-secret-2", "${TOKEN}");
    await manager.connectServers(
      inHome(world, {
        local: { ...local, env: { ...local.env, API_KEY: "sk-variable-secret-3", T: "${TOKEN}" } },
        remote: {
          url: "http://user:pass-secret-4@127.0.0.1:9/mcp?key=sk-query-secret-5",
          headers: { Authorization: "Bearer sk-header-secret-6" },
        },
      }),
      { local: source, remote: source },
    );
    await manager.callTool("local", "echo", { text: "x" });
    await manager.disconnectAll();
    const all = told.join("\n");
    assert.doesNotMatch(all, /secret-\d|tok-from-environment/);
    const events = told.map((text): JsonObject => JSON.parse(text));
    const connection = events.find(({ connection, server }) => server === "local" && connection);
    assert.deepEqual(
      (connection?.["connection"] as JsonObject)["envNames"],
      [...Object.keys(local.env), "API_KEY", "T"],
    );
    assert.match(all, /"headerNames":\["Authorization"\]/);
  },
);

withManager("states and tools are told in order, each once, and the newest wins", async (world) => {
  const states: ServerStateEvent[] = [];
  const tools: ToolsChangedEvent[] = [];
  const hooks: readonly EventHooks[] = [{
    serverState: (event) => void states.push(event),
    toolsChanged: (event) => void tools.push(event),
  }];
  const manager = world.manager({ hooks });
  await manager.connectServers(inHome(world, { it: trap("good"), dead: trap("dead") }));
  await until(() => states.some(({ state }) => state === "connected"));
  await until(() => tools.length === 1);
  assert.ok(tools[0]?.added.includes("mcp_it_echo"));
  assert.deepEqual(tools[0]?.tools[0], { name: "mcp_it_echo", server: "it", tool: "echo" });
  await manager.disconnectServer("it");
  await until(() => tools.length === 2);
  assert.deepEqual([tools[1]?.tools, tools[1]?.removed], [[], tools[0]?.added]);
  await until(() =>
    states.some(({ server, state }) => server === "it" && state === "disconnected")
  );
  const ofIt = states.filter(({ server }) => server === "it");
  for (const [index, { before }] of ofIt.entries()) {
    assert.equal(before, ofIt[index - 1]?.state ?? null);
  }
  const dead = states.findLast(({ server }) => server === "dead");
  assert.notEqual(dead?.error ?? null, null);
});

withManager("a hook that is told holds nothing up and fails nothing", async (world) => {
  const said: string[] = [];
  const hooks: readonly EventHooks[] = [
    { afterCall: () => new Promise(() => {}), serverState: () => new Promise(() => {}) },
    {
      afterCall: () => {
        throw new Error("broken");
      },
      toolsChanged: () => Promise.reject(new Error("broken, too")),
    },
  ];
  const log = { log: (_level: string, message: string) => void said.push(message) };
  const manager = world.manager({ hooks, log });
  await manager.connectServers(inHome(world, { it: trap("good") }));
  for (let count = 0; count < 20; count++) await manager.callTool("it", "echo", { text: "x" });
  await until(() => said.includes("A hook failed"));
  const began = performance.now();
  await manager.disconnectAll();
  assert.ok(performance.now() - began < 6_000);
});

withManager("hooks that a function gives count from the next event on", async (world) => {
  const current: EventHooks[] = [];
  const manager = world.manager({ hooks: () => current });
  await manager.connectServers(inHome(world, { it: trap("good") }));
  await manager.callTool("it", "echo", { text: "x" });
  current.push({ beforeCall: () => ({ veto: "from now on" }) });
  assert.equal((await failure(manager.callTool("it", "echo", {}))).code, "blocked-by-hook");
});
