import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { startSdkServer } from "../harness/http_servers.ts";
import { processesOfHome } from "../harness/living_processes.ts";
import { trap } from "../harness/servers.ts";
import { inHome, type ManagerWorld, withManager } from "../runtime/running_manager.ts";
import { IS_SOAK, tell } from "./held.ts";

/** Connections to one server over HTTP at once. */
const CONNECTIONS = IS_SOAK ? 200 : 40;

/** Servers over stdio that start at once. */
const PROCESSES = IS_SOAK ? 50 : 10;

/** Milliseconds that each of them may take to start: half of what a server gets by default. */
const START_MS = 15_000;

/** Milliseconds that one call may take. */
const CALL_MS = 10_000;

/** Definitions of this kind under numbered names. */
function numbered(
  count: number,
  config: (name: string) => ServerConfig,
): Readonly<Record<string, ServerConfig>> {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  return Object.fromEntries(
    names.map((name) => [name, { ...config(name), startupTimeout: START_MS }]),
  );
}

/** Connects to all at once, calls all at once, and ends all at once. */
async function connectAll(
  what: string,
  { world, manager }: { readonly world: ManagerWorld; readonly manager: MCPManager },
  configs: Readonly<Record<string, ServerConfig>>,
  call: (name: string) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const { errors } = await manager.connectServers(inHome(world, configs));
  const connectedMs = performance.now() - begun;
  assert.deepEqual([...errors], []);
  const views = manager.getServers();
  assert.equal(views.length, Object.keys(configs).length);
  assert.ok(views.every(({ state }) => state === "connected"));
  const slowest = Math.max(...views.map(({ elapsedMs }) => elapsedMs ?? 0));
  await Promise.all(Object.keys(configs).map(call));
  const closing = performance.now();
  await manager.disconnectAll();
  const now = performance.now();
  tell(`${what}: ${
    JSON.stringify({
      servers: views.length,
      connectedMs: Math.round(connectedMs),
      slowest: Math.round(slowest),
      calledMs: Math.round(closing - begun - connectedMs),
      closedMs: Math.round(now - closing),
    })
  }`);
  assert.deepEqual(await processesOfHome(world.home), []);
}

for (const era of ["legacy", "modern"] as const) {
  withManager(`many connections to one ${era} server at once all come about`, async (world) => {
    const server = await startSdkServer(world, era);
    try {
      const manager = world.manager();
      const configs = numbered(CONNECTIONS, () => ({ url: server.url }));
      await connectAll(`connections, ${era}`, { world, manager }, configs, async (name) => {
        const options = { timeout: CALL_MS };
        const { content } = await manager.callTool(name, "echo", { text: name }, options);
        assert.equal(content[0]?.["text"], name);
      });
    } finally {
      await server.close();
    }
  });
}

withManager("many servers that start at once all have the time they need [B11]", async (world) => {
  const manager = world.manager();
  const configs = numbered(PROCESSES, (name) => trap("named", name));
  await connectAll("processes", { world, manager }, configs, async (name) => {
    const { content } = await manager.callTool(name, "look", { text: "x" }, { timeout: CALL_MS });
    assert.equal(content[0]?.["text"], `${name}: x`);
  });
});
