import assert from "node:assert/strict";
import { join } from "node:path";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { AfterCallEvent, EventHooks } from "../../src/model/event_hooks.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { WireTraceEvent } from "../../src/model/wire_trace.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { inHome, withManager } from "./running_manager.ts";

async function failure(call: Promise<unknown>): Promise<HotplugError> {
  const thrown = await call.then(() => null, (error: unknown) => error);
  assert.ok(thrown instanceof HotplugError, `${thrown}`);
  return thrown;
}

/** Keeps the params of what is sent by one method. */
function sentBy(method: string): {
  readonly trace: (event: WireTraceEvent) => void;
  readonly sent: JsonObject[];
} {
  const sent: JsonObject[] = [];
  const trace = (event: WireTraceEvent): void => {
    if (event.direction !== "sent" || event.method !== method) return;
    const { _meta, ...params } = JSON.parse(event.frame).params;
    sent.push(params);
  };
  return { trace, sent };
}

withManager("results are given on as their server sent them", async (world) => {
  const manager = world.manager();
  await manager.connectServers(inHome(world, { a: sdkServer("legacy"), b: sdkServer("modern") }));
  for (const server of ["a", "b"]) {
    const connection = await manager.waitForConnection(server);
    for (
      const [method, params] of [
        ["tools/call", { name: "echo", arguments: { text: "x" } }],
        ["resources/read", { uri: "note://one" }],
        ["prompts/get", { name: "greet" }],
      ] as const
    ) {
      const direct = await connection.request(method, params);
      assert.deepEqual(
        await manager.forward(server, method, params),
        direct,
        `${server} ${method}`,
      );
    }
    const unknown = await failure(manager.forward(server, "prompts/get", { name: "none" }));
    assert.equal(unknown.code, "protocol-error");
    assert.equal(unknown.details["code"], -32602);
  }
});

withManager("a forwarded call is vetoed, rewritten and told of like any other", async (world) => {
  const told: AfterCallEvent[] = [];
  const guard: EventHooks = {
    name: "the guard",
    beforeCall: ({ arguments: { text } }) =>
      text === "secret"
        ? { veto: "secrets stay here" }
        : text === "a"
        ? { arguments: { text: "b" } }
        : undefined,
    afterCall: (event) => void told.push(event),
  };
  const { trace, sent } = sentBy("tools/call");
  const manager = world.manager({ hooks: [guard], trace });
  await manager.connectServers(inHome(world, { x: trap("good") }));
  const call = (more: JsonObject): Promise<JsonObject> =>
    manager.forward("x", "tools/call", { name: "echo", requestState: "s", odd: [1], ...more });
  assert.match(JSON.stringify(await call({ arguments: { text: "a" } })), /"b"/);
  await call({ arguments: { text: "c" } });
  await call({});
  const error = await failure(call({ arguments: { text: "secret" } }));
  assert.equal(error.code, "blocked-by-hook");
  const common = { name: "echo", requestState: "s", odd: [1] };
  assert.deepEqual(sent, [
    { ...common, arguments: { text: "b" } },
    { ...common, arguments: { text: "c" } },
    common,
  ]);
  await until(() => told.length === 4);
  assert.deepEqual(told.map(({ arguments: { text } }) => text), ["b", "c", undefined, "secret"]);
  assert.equal(told[0]?.result?.isError, false);
});

withManager(
  "a forwarded call needs a tool that is on offer, and a server that may run",
  async (world) => {
    let mayRun = true;
    const reason = { code: "blocked-by-policy", message: "Not here", hint: null } as const;
    const manager = world.manager({ mayRun: () => Promise.resolve(mayRun ? null : reason) });
    const server = { ...trap("good"), disabledTools: ["add"] };
    await manager.connectServers(inHome(world, { x: server }));
    const call = (name: string): Promise<JsonObject> =>
      manager.forward("x", "tools/call", { name, arguments: { text: "x" } });
    await call("echo");
    assert.equal((await failure(call("add"))).code, "unknown-tool");
    assert.equal((await failure(call("none"))).code, "unknown-tool");
    mayRun = false;
    assert.equal((await failure(call("echo"))).message, "Not here");
  },
);

withManager(
  "a forwarded retry that may have done something is not sent again [C20]",
  async (world) => {
    const { trace, sent } = sentBy("tools/call");
    const manager = world.manager({ trace });
    const mark = join(world.home, "crashed");
    await manager.connectServers(inHome(world, { x: trap("crash-once", mark) }));
    const retry = { name: "act", arguments: {}, inputResponses: {}, requestState: "s" };
    const error = await failure(manager.forward("x", "tools/call", retry));
    assert.equal(error.code, "outcome-unknown");
    assert.deepEqual(sent, [retry]);
    await manager.forward("x", "tools/call", retry);
    assert.deepEqual(sent, [retry, retry]);
  },
);

withManager("a forwarded call carries the headers that modern HTTP wants of it", async (world) => {
  const headers: Headers[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "headers", version: "1" }, { capabilities: { tools: {} } });
    const inputSchema = {
      type: "object" as const,
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    server.setRequestHandler("tools/list", () => ({ tools: [{ name: "t", inputSchema }] }));
    server.setRequestHandler("tools/call", () => ({ content: [] }));
    return server;
  }, { legacy: "reject" });
  const http = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      if (request.headers.get("mcp-method") === "tools/call") headers.push(request.headers);
      return handler.fetch(request);
    },
  );
  try {
    const guard: EventHooks = {
      name: "the guard",
      beforeCall: () => ({ arguments: { region: "south" } }),
    };
    const manager = world.manager({ hooks: [guard] });
    await manager.connectServers({ x: { url: `http://127.0.0.1:${http.addr.port}/mcp` } });
    await manager.forward("x", "tools/call", { name: "t", arguments: { region: "north" } });
    await manager.disconnectAll();
  } finally {
    await handler.close();
    await http.shutdown();
  }
  assert.deepEqual(headers.map((one) => [one.get("mcp-name"), one.get("mcp-param-region")]), [
    ["t", "south"],
  ]);
});
