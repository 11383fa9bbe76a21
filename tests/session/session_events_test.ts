import assert from "node:assert/strict";
import type { ServerNotification } from "../../src/model/connection.ts";
import { startChangingServer } from "../harness/http_servers.ts";
import { sdkServer, trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { withManager } from "../runtime/running_manager.ts";
import { held } from "./held_session.ts";
import { STORE } from "./watching_manager.ts";

withManager("a session tells which lists hold something else, and no others", async (world) => {
  const path = await world.write("home/tools", "one\ntwo");
  const lines = trap("lines-of");
  await world.write(STORE, {
    mcpServers: {
      lines: { ...lines, env: { ...lines.env, LINES: path } },
      sdk: sdkServer("dual"),
    },
  });
  const told: string[] = [];
  const onListed = (server: string, kind: string): unknown => told.push(`${server} ${kind}`);
  const news = (): readonly string[] => told.splice(0).sort();
  const all = ["lines tools", "sdk prompts", "sdk resources", "sdk tools"];
  {
    await using host = await held(world, { onListed });
    await host.session.settled();
    assert.deepEqual(news(), all);
    await host.session.reload();
    assert.deepEqual(news(), [], "the same was read again");
    await world.write("home/tools", "one\nthree");
    await host.session.reload();
    assert.deepEqual(news(), ["lines tools"]);
    await host.session.pause("sdk");
    assert.deepEqual(news(), all.slice(1));
    await host.session.resume("sdk");
    await host.session.settled();
    assert.deepEqual(news(), all.slice(1));
  }
  assert.deepEqual(news(), all);
  // What the cache knows is told once, and not again when it is read the same.
  await using host = await held(world, { onListed });
  await host.session.settled();
  assert.deepEqual(news(), all);
  assert.equal(host.state("lines"), "connected");
});

withManager("a session tells every notification of its servers, of either era", async (world) => {
  for (const era of ["legacy", "modern"] as const) {
    const server = await startChangingServer(world, era);
    try {
      await world.write(STORE, { mcpServers: { x: { type: "http", url: server.url } } });
      const told: (readonly [string, ServerNotification])[] = [];
      await using host = await held(world, {
        onNotification: (name, notification) => told.push([name, notification]),
      });
      await host.session.settled();
      const method = "notifications/tools/list_changed";
      const isTold = (): boolean =>
        told.some(([name, given]) => name === "x" && given.method === method);
      // Its stream of changes may stand a moment later than the list.
      await until(async () => {
        if (!isTold()) await server.change(1);
        return isTold();
      });
    } finally {
      await server.close();
    }
  }
});
