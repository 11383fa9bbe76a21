import assert from "node:assert/strict";
import type { ServerView } from "../../src/model/server_view.ts";
import type { MCPManager } from "../../src/runtime/manager.ts";
import { withFake } from "../connection/fake_http.ts";
import {
  freePort,
  type HttpServer,
  startEverything,
  startSdkServer,
} from "../harness/http_servers.ts";
import { until } from "../harness/until.ts";
import { FakeClock } from "./fake_clock.ts";
import { withManager } from "./running_manager.ts";

function rowOf(manager: MCPManager): ServerView {
  const [view] = manager.getServers();
  assert.ok(view !== undefined);
  return view;
}

for (const era of ["legacy", "modern"] as const) {
  withManager(
    `a ${era} server that is restarted is found again without a call [I08]`,
    async (world) => {
      const port = freePort();
      let server: HttpServer = await startSdkServer(world, era, port);
      try {
        const manager = world.manager({ random: () => 0 });
        await manager.connectServers({ x: { url: server.url } });
        await manager.settled();
        const tools = manager.getTools().map(({ name }) => name);
        assert.ok(tools.length > 0);
        await server.close();
        await until(() => rowOf(manager).state === "retrying", 20_000);
        assert.match(rowOf(manager).error?.message ?? "", /Cannot reach "x"/);
        assert.deepEqual(manager.getTools().map(({ name }) => name), tools);
        server = await startSdkServer(world, era, port);
        await until(() => rowOf(manager).state === "connected", 20_000);
        assert.equal((await manager.callTool("x", "whoami", {})).isError, false);
      } finally {
        await server.close();
      }
    },
  );
}

withManager("a server that is not there at the start joins when it comes [G12]", async (world) => {
  const port = freePort();
  const manager = world.manager({ random: () => 0 });
  const { errors } = await manager.connectServers({
    x: { url: `http://127.0.0.1:${port}/mcp` },
  });
  assert.equal(errors.get("x")?.code, "server-unreachable");
  assert.equal(rowOf(manager).state, "retrying");
  const server = await startSdkServer(world, "legacy", port);
  try {
    await until(() => rowOf(manager).state === "connected", 20_000);
    assert.ok(manager.getTools().length > 0);
  } finally {
    await server.close();
  }
});

withManager("SSE comes back by itself too", async (world) => {
  let server = await startEverything(world, "sse");
  const port = new URL(server.url).port;
  try {
    const manager = world.manager({ random: () => 0 });
    await manager.connectServers({ x: { url: server.url, type: "sse" } });
    await manager.settled();
    await server.close();
    await until(() => rowOf(manager).state === "retrying", 20_000);
    server = await startEverything(world, "sse", Number(port));
    await until(() => rowOf(manager).state === "connected", 20_000);
  } finally {
    await server.close();
  }
});

withManager(
  "after a sleep servers are asked for a sign of life, and a dead one is left [G12]",
  async (world) => {
    let isDead = false;
    const clock = new FakeClock();
    await withFake(({ message }) => {
      if (message["method"] !== "ping") return null;
      return isDead
        ? new Response("gone", { status: 503 })
        : Response.json({ jsonrpc: "2.0", id: message["id"], result: {} });
    }, async (fake) => {
      const manager = world.manager({ clock });
      await manager.connectServers({ x: { url: fake.url } });
      await manager.settled();
      clock.setWall(60_000);
      await clock.turn(5_000);
      assert.ok(!fake.methods().includes("ping"), "a minute set while nobody waited is no sleep");
      clock.setWall(3_600_000);
      await clock.turn(5_000);
      await until(() => fake.methods().includes("ping"));
      assert.equal(rowOf(manager).state, "connected");
      isDead = true;
      // The next look begins when the answer to the last one is there.
      await until(async () => {
        clock.setWall(3_600_000);
        await clock.turn(5_000);
        return rowOf(manager).state === "retrying";
      });
    });
  },
);

withManager(
  "a refused token is a login to make, and is not asked for again and again",
  async (world) => {
    let isRefused = false;
    await withFake(
      ({ message }) =>
        isRefused && message["method"] !== undefined
          ? new Response("no", { status: 401, headers: { "www-authenticate": "Bearer" } })
          : null,
      async (fake) => {
        const manager = world.manager();
        await manager.connectServers({ x: { url: fake.url } });
        await manager.settled();
        isRefused = true;
        await assert.rejects(manager.callTool("x", "t", {}), { code: "needs-auth" });
        await until(() => rowOf(manager).state === "needs-auth");
        const asked = fake.seen.length;
        await assert.rejects(manager.callTool("x", "t", {}));
        assert.equal(fake.seen.length, asked);
      },
    );
  },
);
