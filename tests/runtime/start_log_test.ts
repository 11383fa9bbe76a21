import assert from "node:assert/strict";
import { join } from "node:path";
import type { LoggedServer, LogLine, ServerLogs } from "../../src/model/server_log.ts";
import { LogReader } from "../../src/platform/log_reader.ts";
import { serverMessage } from "../../src/runtime/start_log.ts";
import { trap } from "../harness/servers.ts";
import { inHome, type ManagerWorld, withManager } from "./running_manager.ts";

const SECRET = "s3cr3t-t0ken-of-this-test";

async function kept(world: ManagerWorld): Promise<readonly LogLine[]> {
  return await new LogReader(join(world.state, "logs"), world.project).next();
}

function shown(lines: readonly LogLine[]): readonly string[] {
  return lines.map(({ server, level, stream, message }) =>
    `${server} ${level} ${stream} ${message.replace(/process \d+/, "process N")}`
  );
}

Deno.test("log notifications are taken at their level, whatever their data", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ level: "warning", logger: "db", data: "slow" }, "warn db: slow"],
    [{ level: "emergency", data: { a: 1 } }, 'error {"a":1}'],
    [{ level: "notice", data: "x" }, "info x"],
    [{ level: 7, logger: "", data: null }, "info null"],
    [{}, "info "],
  ];
  for (const [params, expected] of cases) {
    const found = serverMessage({ method: "notifications/message", params: params as never });
    assert.equal(`${found?.level} ${found?.text}`, expected);
  }
  assert.equal(serverMessage({ method: "notifications/progress", params: {} }), null);
});

withManager(
  "the whole life of a connection is on disk when the manager has ended",
  async (world) => {
    const manager = world.manager();
    await manager.connectServers(inHome(world, { good: trap("good") }));
    await manager.disconnectAll();
    assert.deepEqual(shown(await kept(world)), [
      `good info hotplug Starting ${Deno.execPath()}`,
      "good info hotplug Connected to good 1.0.0 (legacy 2025-11-25, process N)",
      "good info hotplug Closed",
    ]);
  },
);

withManager("a server that cannot be started says why in its log", async (world) => {
  const manager = world.manager();
  const env = { A: "${NOBODY_SETS_THIS_VARIABLE}" };
  await manager.connectServers(inHome(world, {
    unset: { ...trap("good"), env },
    absent: { command: "no-such-program-at-all" },
  }));
  await manager.disconnectAll();
  const lines = shown(await kept(world));
  assert.equal(lines.length, 3, lines.join("\n"));
  assert.ok(
    lines.some((line) => /^unset error hotplug .*NOBODY_SETS.*missing-variable/.test(line)),
  );
  assert.ok(lines.some((line) => /^absent error hotplug .*\(program-not-found\)$/.test(line)));
});

withManager("a lost connection is told with what the server said last", async (world) => {
  const manager = world.manager();
  const server = trap("exit-in-call");
  await manager.connectServers(inHome(world, { it: server }));
  await assert.rejects(manager.callTool("it", "go", {}));
  await manager.disconnectAll();
  const lines = shown(await kept(world));
  assert.ok(lines.some((line) => line.includes("it error stderr FATAL: lost the database")));
  assert.match(lines.at(-1) ?? "", /^it error hotplug .*\((server-exited|connection-closed)\)$/);
});

withManager("a server's log messages are kept, secrets replaced", async (world) => {
  const manager = world.manager();
  const server = trap("log-in-call", `the key is ${SECRET}`);
  await manager.connectServers(
    inHome(world, { it: { ...server, env: { ...server.env, API_KEY: SECRET } } }),
  );
  await manager.callTool("it", "go", {});
  await manager.disconnectAll();
  const lines = shown(await kept(world));
  assert.ok(lines.includes("it warn server the key is ***"), lines.join("\n"));
});

withManager("without logs nothing is written", async (world) => {
  const manager = world.manager({ logs: null });
  await manager.connectServers(inHome(world, { good: trap("good") }));
  await manager.disconnectAll();
  await assert.rejects(Deno.stat(join(world.state, "logs")));
});

withManager("a host can keep the lines itself, and its failures cost no server", async (world) => {
  const opened: LoggedServer[] = [];
  const lines: string[] = [];
  const logs: ServerLogs = {
    open: (server) => {
      opened.push(server);
      if (server.server === "b") throw new Error("no room");
      return {
        write: (level, stream, message) => {
          lines.push(`${level} ${stream} ${message}`);
          throw new Error("disk full");
        },
        close: () => Promise.reject(new Error("disk full")),
      };
    },
  };
  const manager = world.manager({ logs });
  const configs = inHome(world, { a: trap("good"), b: trap("good") });
  const { connectedServers } = await manager.connectServers(configs);
  assert.deepEqual(connectedServers, ["a", "b"]);
  await manager.disconnectAll();
  assert.deepEqual(opened[0], { server: "a", workspace: world.project });
  assert.equal(lines.at(-1), "info hotplug Closed");
});

withManager("logs that cannot be written cost one warning and no server", async (world) => {
  await Deno.mkdir(world.state, { recursive: true });
  await Deno.writeTextFile(join(world.state, "logs"), "in the way");
  const told: string[] = [];
  const log = { log: (_level: string, message: string): void => void told.push(message) };
  const manager = world.manager({ log });
  const configs = inHome(world, { a: trap("good"), b: trap("good") });
  const { connectedServers } = await manager.connectServers(configs);
  assert.deepEqual(connectedServers, ["a", "b"]);
  await manager.disconnectAll();
  assert.equal(told.filter((message) => message === "Cannot keep the logs of servers").length, 1);
});
