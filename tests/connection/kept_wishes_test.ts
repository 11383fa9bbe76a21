import assert from "node:assert/strict";
import { complete, ping } from "../../src/connection/calls.ts";
import type { ConnectOptions } from "../../src/connection/connect_options.ts";
import type { MCPServerConnection } from "../../src/model/connection.ts";
import type { LogMessage } from "../../src/model/log_message.ts";
import { npmServer } from "../harness/servers.ts";
import { everywhere, type Place, text } from "./everywhere.ts";
import { type Bench, rejection, until, withBench } from "./harness.ts";
import { serveAskingLegacy } from "./servers/asking_legacy.ts";

/** Connects with a record of the resources that changed. */
async function watching(
  bench: Bench,
  place: Place,
  options: Partial<ConnectOptions> = {},
): Promise<{ readonly connection: MCPServerConnection; readonly updated: string[] }> {
  const updated: string[] = [];
  const onResourceUpdated = (uri: string): number => updated.push(uri);
  const connection = await bench.connect(place.config, { onResourceUpdated, ...options });
  assert.equal(connection.protocol.era, place.era);
  return { connection, updated };
}

Deno.test("a resource that is subscribed to tells of its changes, and no more after the end", async () => {
  await everywhere(async (place, bench) => {
    const { connection, updated } = await watching(bench, place);
    await connection.subscribe("note://a");
    await connection.subscribe("note://b");
    await connection.subscribe("note://b");
    assert.deepEqual(connection.subscriptions(), ["note://a", "note://b"]);
    await place.touch(connection, "note://a");
    await until(() => updated.includes("note://a"), `${place.era}: a change was told`);
    await connection.unsubscribe("note://a");
    await connection.unsubscribe("note://never");
    assert.deepEqual(connection.subscriptions(), ["note://b"]);
    await connection.subscribe("note://c");
    updated.length = 0;
    await place.touch(connection, "note://a");
    await place.touch(connection, "note://c");
    await until(() => updated.includes("note://c"), `${place.era}: the last change was told`);
    assert.ok(!updated.includes("note://a"), place.era);
    await connection.close();
  });
});

Deno.test("subscriptions given to connect stand from the start", async () => {
  await everywhere(async (place, bench) => {
    const subscriptions = ["note://a"];
    const { connection, updated } = await watching(bench, place, { subscriptions });
    assert.deepEqual(connection.subscriptions(), subscriptions);
    const end = performance.now() + 5_000;
    while (updated.length === 0) {
      assert.ok(performance.now() < end, place.era);
      await place.touch(connection, "note://a");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await connection.close();
  });
});

Deno.test("a subscription that the server refuses is none", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("asking_legacy.ts"));
    const error = await rejection(connection.subscribe("note://refused"));
    assert.equal(error.code, "protocol-error");
    assert.deepEqual(connection.subscriptions(), []);
    const modern = await bench.connect({
      ...bench.program("two_eras.ts", "modern"),
      protocol: "2026-07-28",
    });
    const unable = await rejection(modern.subscribe("note://a"));
    assert.equal(unable.code, "protocol-error");
    assert.deepEqual(modern.subscriptions(), []);
  });
});

Deno.test("nobody waits for a subscription on a connection that has ended", async () => {
  await everywhere(async (place, bench) => {
    const { connection } = await watching(bench, place);
    await connection.close();
    const error = await rejection(connection.subscribe("note://a"));
    assert.equal(error.code, "connection-closed", place.era);
    assert.deepEqual(connection.subscriptions(), []);
  });
});

Deno.test("subscriptions and log level are told again to a new session", async () => {
  const http = serveAskingLegacy();
  const origin = `http://127.0.0.1:${http.addr.port}`;
  try {
    await withBench(async (bench) => {
      const updated: string[] = [];
      const connection = await bench.connect({ url: `${origin}/mcp` }, {
        logLevel: "error",
        onResourceUpdated: (uri) => updated.push(uri),
      });
      await connection.subscribe("note://a");
      await (await fetch(`${origin}/forget`)).body?.cancel();
      const end = performance.now() + 5_000;
      while ((await text(connection, "touch")) !== '["note://a"]') {
        assert.ok(performance.now() < end, "it was subscribed again");
      }
      await until(() => updated.includes("note://a"), "a change was told");
      while (!(await text(connection, "seen")).includes("level error")) {
        assert.ok(performance.now() < end, "the level was told again");
      }
      await connection.close();
    });
  } finally {
    await http.shutdown();
  }
});

Deno.test("log lines are given on with server, level, message and time", async () => {
  await everywhere(async (place, bench) => {
    const logs: LogMessage[] = [];
    const before = Date.now();
    const { connection } = await watching(bench, place, {
      logLevel: "debug",
      secrets: ["plain"],
      onLogMessage: (log) => logs.push(log),
    });
    await text(connection, "log");
    const expected = place.era === "legacy"
      ? ["s", "warning", '{"a":1}', "part"]
      : ["s", "warning", "from a call", null];
    await until(() => logs.length === (place.era === "legacy" ? 2 : 1), "the lines came");
    const first = logs[0];
    assert.deepEqual([first?.server, first?.level, first?.message, first?.logger], expected);
    assert.doesNotMatch(JSON.stringify(logs), /plain/);
    assert.ok(logs.every(({ time }) => time >= before && time <= Date.now()));
    await connection.close();
  });
});

Deno.test("a modern server is asked for log lines by each request, for as long as they are wanted", async () => {
  await withBench(async (bench) => {
    const logs: LogMessage[] = [];
    const connection = await bench.connect({
      ...bench.program("asking_modern.ts"),
      protocol: "2026-07-28",
    }, { onLogMessage: (log) => logs.push(log) });
    await text(connection, "log");
    assert.equal(logs.length, 0);
    await connection.setLogLevel("info");
    await text(connection, "log");
    await until(() => logs.length === 1, "a line came");
    await connection.setLogLevel("error");
    await text(connection, "log");
    await connection.setLogLevel(null);
    await text(connection, "log");
    assert.equal(logs.length, 1);
  });
});

Deno.test("a legacy server is told its log level, one without a log is not asked", async () => {
  await withBench(async (bench) => {
    const connection = await bench.connect(bench.program("asking_legacy.ts"));
    await connection.setLogLevel("critical");
    assert.match(await text(connection, "seen"), /level critical/);
    const without = await bench.connect(bench.program("legacy.ts"), { logLevel: "debug" });
    await without.setLogLevel("info");
  });
});

Deno.test("server-everything completes, and takes subscriptions and a log level", async () => {
  await withBench(async (bench) => {
    const updated: string[] = [];
    const logs: LogMessage[] = [];
    const connection = await bench.connect({
      command: Deno.execPath(),
      args: [...npmServer("everything").args, "stdio"],
    }, {
      logLevel: "debug",
      onLogMessage: (log) => logs.push(log),
      onResourceUpdated: (uri) => updated.push(uri),
    });
    const ref = { type: "ref/prompt", name: "completable-prompt" } as const;
    const found = await complete(connection, ref, { name: "department", value: "" });
    assert.ok(found.values.includes("Engineering"), JSON.stringify(found));
    const uri = "demo://resource/dynamic/text/1";
    await connection.subscribe(uri);
    await text(connection, "toggle-subscriber-updates");
    await text(connection, "toggle-simulated-logging");
    await until(() => updated.includes(uri), "a change was told", 15_000);
    await until(() => logs.length > 0, "a line came", 15_000);
    assert.ok(await ping(connection) >= 0);
  });
});
