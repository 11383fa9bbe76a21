import assert from "node:assert/strict";
import { join } from "node:path";
import { e2e } from "../../harness/e2e.ts";
import { RawHttp } from "../../harness/raw_http.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import type { Message } from "../raw_host.ts";
import { errorCode, Events, INITIALIZE, json, Served } from "./served.ts";

/** Posts an `initialize` with headers that `fetch` sets by itself, and gives the answer's text. */
async function rawInitialize(
  served: Served,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const body = JSON.stringify(served.message("initialize", INITIALIZE));
  const all = {
    host: `127.0.0.1:${served.port}`,
    authorization: `Bearer ${served.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": String(body.length),
    connection: "close",
    ...headers,
  };
  await using raw = await RawHttp.connect(served.port);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await raw.write(`POST /mcp HTTP/1.1\r\n${lines}\r\n${body}`);
  await until(() => raw.isClosed);
  return raw.text;
}

e2e(
  "a name that was made to point at this machine is refused, with any token [H12]",
  async (world) => {
    await world.userServers({ t: trap("good") });
    await using served = await Served.start(world, {
      args: ["--allowed-host", "gateway.example", "--allowed-host", "Other.Example"],
    });
    const right = [
      `localhost:${served.port}`,
      "127.0.0.1",
      `[::1]:${served.port}`,
      // A port that is forwarded is another one.
      "localhost:1",
      "gateway.example",
      "OTHER.example:443",
    ];
    for (const host of right) {
      assert.match(await rawInitialize(served, { host }), /^HTTP\/1\.1 200 /, host);
    }
    const wrong = [
      "evil.example",
      `evil.example:${served.port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "localhost@evil.example",
      "evil.example#localhost",
      "0.0.0.0",
      "127.0.0.2",
      "gateway.example.",
      "x.gateway.example",
      "",
    ];
    for (const host of wrong) {
      const text = await rawInitialize(served, { host });
      assert.match(text, /^HTTP\/1\.1 40[03] /, host);
      assert.doesNotMatch(text, /mcp-session-id/, host);
    }
  },
);

e2e("web pages of other origins are refused, and told nothing [H12]", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world, {
    args: ["--allowed-origin", "https://app.example"],
  });
  const own = `http://127.0.0.1:${served.port}`;
  const at = (origin: string): Promise<Response> =>
    served.post(served.message("initialize", INITIALIZE), { origin });
  const same = await at(own);
  assert.ok("result" in await json(same));
  assert.equal(same.headers.get("access-control-allow-origin"), null);
  const wrong = [
    "http://evil.example",
    "null",
    "http://127.0.0.1",
    `${own}.evil.example`,
    "http://127.0.0.1:1",
  ];
  for (const origin of wrong) {
    const response = await at(origin);
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    assert.equal(await errorCode(response, 403), -32000, origin);
    const preflight = await served.fetch("/mcp", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    await preflight.body?.cancel();
    assert.equal(preflight.status, 403);
  }
  const allowed = await at("https://app.example");
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example");
  assert.match(allowed.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
  assert.ok("result" in await json(allowed));
  const preflight = await served.fetch("/mcp", {
    method: "OPTIONS",
    headers: {
      origin: "https://app.example",
      authorization: "none",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,mcp-param-city,x-evil",
    },
  });
  assert.equal(preflight.status, 204);
  const headers = preflight.headers.get("access-control-allow-headers") ?? "";
  assert.match(headers, /authorization.*mcp-param-city/);
  assert.doesNotMatch(headers, /x-evil/);
  // A page that may not read an answer may not have the refusals of others either.
  const refused = await served.post("{}", { origin: "https://app.example", authorization: "none" });
  assert.equal(refused.headers.get("access-control-allow-origin"), "https://app.example");
  assert.equal(await errorCode(refused, 401), -32000);
});

e2e("nobody gets in without the token, which is nowhere to be read [H09] [H08]", async (world) => {
  await world.userServers({ t: trap("good"), env: trap("say-environment") });
  await using served = await Served.start(world, { args: ["--verbose"] });
  assert.match(served.token, /^[A-Za-z0-9_-]{43}$/);
  const wrong = [
    "",
    "Bearer",
    "Bearer ",
    `Basic ${btoa(`x:${served.token}`)}`,
    `Bearer ${served.token}x`,
    `Bearer ${served.token.slice(1)}`,
    `Bearer ${served.token.toLowerCase()}`,
    `Bearer ${served.token}, Bearer x`,
    served.token,
  ];
  for (const authorization of wrong) {
    for (const method of ["POST", "GET", "DELETE"]) {
      const response = await served.fetch("/mcp", { method, headers: { authorization } });
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
      assert.equal(await errorCode(response, 401), -32000, authorization);
    }
  }
  const session = await served.initialize(INITIALIZE, { authorization: `bearer  ${served.token}` });
  assert.ok("result" in await json(await served.post(served.message("ping"), session)));
  const status = await world.mcp(["status", "--json", "--verbose"]);
  const file = join(world.state, "gateway-token");
  assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  for (const text of [served.stderr, served.stdout, status.stdout, status.stderr]) {
    assert.ok(!text.includes(served.token), "the token was written");
  }
  const { url, tokenFile, pid } = JSON.parse(served.stdout) as Message;
  assert.deepEqual([url, tokenFile, pid], [served.url, file, served.pid]);
});

e2e("the same token serves from start to start, and no other", async (world) => {
  await world.userServers({});
  let first = "";
  {
    await using served = await Served.start(world);
    first = served.token;
  }
  {
    await using served = await Served.start(world, { args: ["--print-token"] });
    assert.equal(served.token, first);
    assert.ok(served.stderr.includes(first));
    assert.equal((JSON.parse(served.stdout) as Message)["token"], first);
  }
  await Deno.chmod(join(world.state, "gateway-token"), 0o644);
  const run = await world.mcp(["serve", "--http"]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /others can read or write it[^]*chmod 600/);
});

e2e("a session is its principal's, and nobody else knows it", async (world) => {
  await world.userServers({ t: trap("good") });
  const [alice, alices, bob, nameless] = ["alice", "second", "bob", "nameless"].map((name) =>
    `${name}-0123456789abcdef`
  );
  const file = await world.write(
    "home/tokens",
    `# Who may use it\nalice ${alice}\n\n  alice\t${alices}  \nbob ${bob}\n${nameless}\n`,
  );
  await Deno.chmod(file, 0o600);
  await using served = await Served.start(world, { args: ["--token-file", file] });
  const by = (token: string | undefined): Readonly<Record<string, string>> => ({
    authorization: `Bearer ${token}`,
  });
  const session = await served.initialize(INITIALIZE, by(alice));
  assert.ok("result" in await json(await served.post(served.message("ping"), session)));
  const hers = { ...session, ...by(alices) };
  assert.ok("result" in await json(await served.post(served.message("ping"), hers)));
  for (const token of [bob, nameless]) {
    const foreign = { ...session, ...by(token) };
    const ping = await served.post(served.message("ping"), foreign);
    assert.equal(await errorCode(ping, 404), -32001);
    const events = { ...foreign, accept: "text/event-stream" };
    assert.equal(await errorCode(await served.fetch("/mcp", { headers: events }), 404), -32001);
    const end = await served.fetch("/mcp", { method: "DELETE", headers: foreign });
    assert.equal(await errorCode(end, 404), -32001);
    const answer = { jsonrpc: "2.0", id: "hotplug-1", result: {} };
    assert.equal(await errorCode(await served.post(answer, foreign), 404), -32001);
  }
  assert.ok("result" in await json(await served.post(served.message("ping"), session)));
});

e2e(
  "a file of tokens that others can read, or that holds none, starts nothing [H09]",
  async (world) => {
    await world.userServers({});
    const refusal = async (mode: number, text: string, expected: RegExp): Promise<void> => {
      const file = await world.write(`home/tokens-${expected.source.length}-${mode}`, text);
      await Deno.chmod(file, mode);
      const run = await world.mcp(["serve", "--http", "--token-file", file]);
      assert.equal(run.code, 1, run.stderr);
      assert.match(run.stderr, expected);
      assert.doesNotMatch(run.stderr, /secret/);
    };
    const twice = "a 0123456789abcdef-secret\nb 0123456789abcdef-secret\n";
    const spaced = "a b 0123456789abcdef-secret\n";
    await Promise.all([
      refusal(0o640, "alice 0123456789abcdef-secret\n", /others can read/),
      refusal(0o602, "alice 0123456789abcdef-secret\n", /others can read or write/),
      refusal(0o600, "# nobody\n\n", /holds no token/),
      refusal(0o600, "alice short-secret\n", /line 1: a token has at least 16/),
      refusal(0o600, spaced, /line 1: write "token" or "name token"/),
      refusal(0o600, twice, /line 2: the same token/),
    ]);
    const absent = await world.mcp(["serve", "--http", "--token-file", "nowhere"]);
    assert.match(absent.stderr, /does not exist/);
    const folder = await world.mcp(["serve", "--http", "--token-file", "."]);
    assert.match(folder.stderr, /it is (no file|a folder)/);
  },
);

e2e("a body without end is cut, and so is a body that is far too long [H16]", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  const head = (more: string): string =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.token}\r\n` +
    `Content-Type: application/json\r\n${more}\r\n`;
  await using told = await RawHttp.connect(served.port);
  await told.write(head("Content-Length: 999999999999\r\n") + "[");
  await until(() => told.text.includes("\r\n\r\n{"));
  assert.match(told.text, /^HTTP\/1\.1 413 /);
  await using untold = await RawHttp.connect(served.port);
  await untold.write(head("Transfer-Encoding: chunked\r\n"));
  const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
  for (let sent = 0; sent < 80 && untold.text === ""; sent++) await untold.write(chunk);
  await until(() => untold.text.includes("\r\n\r\n{"));
  assert.match(untold.text, /^HTTP\/1\.1 413 /);
  assert.ok("result" in await json(await served.modern("server/discover")));
});

e2e("who sends a header bomb, or sends slowly, keeps nobody from being served", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  const slow: RawHttp[] = [];
  try {
    for (let count = 0; count < 50; count++) {
      const raw = await RawHttp.connect(served.port);
      slow.push(raw);
      await raw.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nx-");
    }
    await using bomb = await RawHttp.connect(served.port);
    await bomb.write(`GET /healthz HTTP/1.1\r\nx: ${"a".repeat(2_000_000)}\r\n\r\n`);
    await using many = await RawHttp.connect(served.port);
    const headers = Array.from({ length: 10_000 }, (_, index) => `x-${index}: 1\r\n`).join("");
    await many.write(`GET /healthz HTTP/1.1\r\n${headers}\r\n`);
    await until(() => [bomb, many].every(({ text, isClosed }) => text !== "" || isClosed));
    for (const { text } of [bomb, many]) assert.match(text, /^$|^HTTP\/1\.1 4/);
    const { result } = await json(await served.modern("server/discover"));
    assert.ok(result !== undefined);
  } finally {
    for (const raw of slow) raw.close();
  }
});

e2e("a client that never reads does not keep others waiting", async (world) => {
  await world.userServers({ big: trap("big-answer", String(20 * 1024 * 1024)), t: trap("good") });
  await using served = await Served.start(world);
  await until(async () => {
    const { result } = await json(await served.modern("tools/list"));
    return ((result as Message)["tools"] as readonly unknown[]).length >= 3;
  }, 20_000);
  await using deaf = await RawHttp.connect(served.port, { reads: false });
  const session = await served.initialize();
  const body = JSON.stringify(served.message("tools/call", { name: "big_go" }));
  await deaf.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.token}\r\n` +
      `Mcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  for (let turn = 0; turn < 20; turn++) {
    const params = { name: "t_echo", arguments: { text: String(turn) } };
    const { result } = await json(await served.modern("tools/call", params));
    assert.deepEqual((result as Message)["content"], [{ type: "text", text: String(turn) }]);
  }
  const whole = await served.post(served.message("tools/call", { name: "big_go" }), session);
  assert.equal(
    ((await json(whole))["result"] as { content: [{ text: string }] }).content[0].text.length,
    20 * 1024 * 1024,
  );
});

e2e("a supervisor is told how it stands, and no names [H08]", async (world) => {
  await world.userServers({ secretive: trap("good"), dead: { command: "/nonexistent/program" } });
  await using served = await Served.start(world);
  const none = { headers: { authorization: "none" } };
  await until(async () => {
    const { servers } = await json(await served.fetch("/healthz", none));
    return JSON.stringify(servers) === '{"connected":1,"error":1}' ||
      JSON.stringify(servers) === '{"error":1,"connected":1}';
  }, 20_000);
  const health = await served.fetch("/healthz", none);
  const text = await health.text();
  assert.equal(health.headers.get("cache-control"), "no-store");
  assert.doesNotMatch(text, /secretive|dead/);
  assert.equal((JSON.parse(text) as Message)["status"], "ok");
  const head = await served.fetch("/healthz", { method: "HEAD", ...none });
  assert.equal(head.status, 200);
  const post = await served.fetch("/healthz", { method: "POST", ...none });
  assert.equal(post.status, 405);
  await post.body?.cancel();
  await using raw = await RawHttp.connect(served.port);
  await raw.write("GET /healthz HTTP/1.1\r\nHost: 10.0.0.7\r\nConnection: close\r\n\r\n");
  await until(() => raw.isClosed);
  assert.match(raw.text, /^HTTP\/1\.1 200 [^]*\{"status":"ok"\}$/);
});

e2e("two gateways cannot have one port, and the second says so [F06]", async (world) => {
  await world.userServers({});
  await using served = await Served.start(world);
  const run = await world.mcp(["serve", "--http", "--port", String(served.port)]);
  assert.equal(run.code, 2);
  assert.match(run.stderr, /Cannot listen at 127\.0\.0\.1:\d+: [^]*--port/);
  await using stream = new Events(
    await served.modern("subscriptions/listen", { notifications: { toolsListChanged: true } }),
  );
  await stream.of("notifications/subscriptions/acknowledged");
});
