import assert from "node:assert/strict";
import type { GatewaySession } from "../../src/gateway/gateway_session.ts";
import { HostLogs } from "../../src/gateway/host_logs.ts";
import { requestMeta } from "../../src/gateway/request_meta.ts";
import { leastGrave, LogLevels } from "../../src/gateway/log_levels.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { LoggingLevel } from "../../src/model/log_message.ts";
import { machineClock } from "../../src/runtime/clock.ts";
import { sessionWith, view } from "./made.ts";

/** Logs of a host, what it was sent, and its level. */
function made(): {
  logs: HostLogs;
  levels: LogLevels;
  sent: JsonObject[];
  host: { level: LoggingLevel | null };
} {
  const sent: JsonObject[] = [];
  const host = { level: null as LoggingLevel | null };
  const levels = new LogLevels(machineClock);
  const logs = new HostLogs({
    level: () => host.level,
    levels,
    tell: (params) => void sent.push(params),
  });
  return { logs, levels, sent, host };
}

function dataOf(sent: JsonObject[]): readonly unknown[] {
  return sent.splice(0).map(({ data }) => data);
}

Deno.test("what servers write before a host is ready is kept, the oldest 500, and given then", () => {
  const { logs, sent } = made();
  for (let number = 0; number < 600; number++) logs.logged("s", { level: "debug", data: number });
  assert.deepEqual(sent, []);
  logs.ready();
  logs.ready();
  assert.equal(sent.length, 500);
  assert.equal(sent[0]?.["data"], 0);
  const large = made();
  for (let count = 0; count < 5; count++) {
    large.logs.logged("s", { level: "info", data: "x".repeat(300_000) });
  }
  large.logs.ready();
  assert.equal(large.sent.length, 3);
});

Deno.test("params stay as they are, but for the server where it is not said", () => {
  const { logs, sent } = made();
  logs.ready();
  logs.logged("s", { level: "odd", data: { a: [1] }, more: 1 });
  logs.logged("s", { level: "info", data: null, logger: "own", _meta: { own: 1 } });
  assert.deepEqual(sent, [
    { level: "odd", data: { a: [1] }, more: 1, logger: "s", _meta: { "dev.hotplug/server": "s" } },
    {
      level: "info",
      data: null,
      logger: "own",
      _meta: { own: 1, "dev.hotplug/server": "s" },
    },
  ]);
});

Deno.test("a host gets the level that it has asked for, and one without a level what is usual", async () => {
  const { logs, levels, sent, host } = made();
  logs.ready();
  const write = (): readonly unknown[] => {
    for (const level of ["debug", "info", "warning", "error"]) {
      logs.logged("s", { level, data: level });
    }
    return dataOf(sent);
  };
  assert.deepEqual(write(), ["debug", "info", "warning", "error"]);
  await levels.set({}, "debug");
  assert.deepEqual(write(), ["info", "warning", "error"], "another host wants more");
  host.level = "error";
  assert.deepEqual(write(), ["error"]);
});

Deno.test("a host without a level gets no more because others wanted more, then or in one request", async () => {
  const session: GatewaySession = { ...sessionWith([]), eraOf: () => "legacy" };
  const { signal } = new AbortController();
  for (
    const wanted of [
      async (levels: LogLevels): Promise<void> => {
        const other = {};
        await levels.set(other, "debug");
        await levels.set(other, null);
      },
      (levels: LogLevels): Promise<void> => levels.need(session, "s", "debug", signal),
    ]
  ) {
    const { logs, levels, sent } = made();
    logs.ready();
    await wanted(levels);
    // The server goes on as it was asked to.
    for (const level of ["debug", "info"]) logs.logged("s", { level, data: level });
    assert.deepEqual(dataOf(sent), ["info"]);
  }
});

Deno.test("what surely belongs to a request is told with it, by the host's level or the request's", () => {
  const { logs, host, sent } = made();
  const told: unknown[] = [];
  const request = (
    isModern: boolean,
    logLevel: LoggingLevel | null,
  ): Parameters<HostLogs["loggedFor"]>[0] => ({
    isModern,
    meta: { ...requestMeta({}), logLevel },
    notify: (_method, { data }) => void told.push(data),
  });
  logs.loggedFor(request(false, null), "s", { level: "debug", data: "early" });
  logs.ready();
  assert.deepEqual(dataOf(sent), ["early"]);
  host.level = "error";
  logs.loggedFor(request(false, null), "s", { level: "info", data: 1 });
  logs.loggedFor(request(false, null), "s", { level: "alert", data: 2 });
  logs.loggedFor(request(true, null), "s", { level: "alert", data: 3 });
  logs.loggedFor(request(true, "notice"), "s", { level: "info", data: 4 });
  logs.loggedFor(request(true, "notice"), "s", { level: "notice", data: 5 });
  assert.deepEqual(told, [2, 5]);
  assert.deepEqual(sent, []);
});

Deno.test("a host of the modern era gets what its request wants while that runs, and nothing else", () => {
  const { logs, sent } = made();
  logs.unasked();
  const told: unknown[] = [];
  const end = logs.during("s", "warning", ({ data }) => void told.push(data));
  logs.logged("s", { level: "error", data: 1 });
  logs.logged("s", { level: "info", data: 2 });
  logs.logged("other", { level: "error", data: 3 });
  end();
  logs.logged("s", { level: "error", data: 4 });
  assert.deepEqual(told, [1]);
  logs.ready();
  assert.deepEqual(sent, []);
});

Deno.test("servers are asked for the least grave level that any host wants, later ones too", async () => {
  const asked: string[] = [];
  const servers = ["a", "b"];
  const session: GatewaySession = {
    ...sessionWith([]),
    servers: () => sessionWith(servers.map((name) => [name, {}])).servers(),
    eraOf: (server) => server === "b" ? "modern" : "legacy",
    setLogLevel: (server, level) => {
      asked.push(`${server} ${level}`);
      return server === "a" ? Promise.reject(new Error("no")) : Promise.resolve();
    },
  };
  const taken = (): readonly string[] => asked.splice(0);
  const levels = new LogLevels(machineClock);
  const [one, two] = [{}, {}];
  await levels.set(one, "error");
  const over = new AbortController();
  levels.adopt(session, over.signal);
  assert.deepEqual(taken(), ["a error", "b error"]);
  await levels.set(two, "info");
  assert.deepEqual(taken(), ["a info", "b info"]);
  servers.push("c");
  levels.serverChanged(session, view("c", { state: "connecting" }));
  levels.serverChanged(session, view("a", { state: "connected" }));
  assert.deepEqual(taken(), ["c info"]);
  levels.serverChanged(session, view("c", { state: "connecting" }));
  assert.deepEqual(taken(), []);
  levels.serverChanged(session, view("c", { state: "connected" }));
  assert.deepEqual(taken(), ["c info"], "it may have been asked too late");
  await levels.set(two, null);
  assert.deepEqual(taken(), ["a error", "b error", "c error"]);
  const { signal } = new AbortController();
  await levels.need(session, "a", "debug", signal);
  await levels.need(session, "b", "debug", signal);
  // Whether it is connected is told by its protocol.
  assert.deepEqual(taken(), ["a debug"], "one of the modern era is told with the request");
  await levels.need(session, "a", "warning", signal);
  assert.deepEqual(taken(), []);
  await levels.set(one, null);
  assert.deepEqual(taken(), ["b null", "c null"]);
  over.abort();
  await levels.set(one, "alert");
  assert.deepEqual(taken(), []);
});

Deno.test("the least grave of no levels is none", () => {
  assert.equal(leastGrave([]), null);
  assert.equal(leastGrave([null, undefined]), null);
  assert.equal(leastGrave(["emergency", null, "notice", "error"]), "notice");
});
