import assert from "node:assert/strict";
import { e2e } from "../../harness/e2e.ts";
import { RawHttp } from "../../harness/raw_http.ts";
import { trap } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import type { Message } from "../raw_host.ts";
import { ENVELOPE, errorCode, Events, INITIALIZE, json, Served } from "./served.ts";

const INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** A message as a POST that is sent and not waited for. */
async function written(
  served: Served,
  message: Message,
  headers: Readonly<Record<string, string>>,
): Promise<RawHttp> {
  const body = JSON.stringify(message);
  const all = {
    host: "localhost",
    authorization: `Bearer ${served.token}`,
    "content-type": "application/json",
    "content-length": String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const raw = await RawHttp.connect(served.port);
  await raw.write(`POST /mcp HTTP/1.1\r\n${lines}\r\n${body}`);
  return raw;
}

/** Waits until a tool is on offer to the modern era. */
async function offered(served: Served, tool: string): Promise<void> {
  await until(async () => {
    const { result } = await json(await served.modern("tools/list"));
    const tools = (result as Message)["tools"] as readonly Message[];
    return tools.some(({ name }) => name === tool);
  }, 20_000);
}

e2e(
  "what is no request of the protocol is refused with the status that says why",
  async (world) => {
    await world.userServers({});
    await using served = await Served.start(world);
    const status = async (response: Promise<Response>): Promise<number> => {
      const { status, body } = await response;
      await body?.cancel();
      return status;
    };
    assert.equal(await status(served.fetch("/")), 404);
    assert.equal(await status(served.fetch("/mcp/x", { method: "POST" })), 404);
    assert.equal(
      await status(served.fetch("/.well-known/oauth-protected-resource")),
      404,
      "a client that looks for an authorisation server finds none",
    );
    const put = await served.fetch("/mcp", { method: "PUT", body: "{}" });
    assert.equal(put.headers.get("allow"), "GET, POST, DELETE");
    assert.equal(await errorCode(put, 405), -32000);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    assert.equal(
      await errorCode(await served.post(ping, { "content-type": "text/plain" }), 415),
      -32000,
    );
    assert.equal(
      await errorCode(await served.post(ping, { "content-encoding": "gzip" }), 415),
      -32000,
    );
    assert.equal(
      await errorCode(await served.post(ping, { accept: "application/json" }), 406),
      -32000,
    );
    assert.equal(
      await errorCode(await served.post(ping, { accept: "text/event-stream" }), 406),
      -32000,
    );
    assert.equal(await errorCode(await served.post("{"), 400), -32700);
    assert.equal(await errorCode(await served.post("[]"), 400), -32600);
    assert.equal(await errorCode(await served.post("7"), 400), -32600);
    assert.equal(
      await errorCode(await served.post({ jsonrpc: "2.0", id: {}, method: "x" }), 400),
      -32600,
    );
    // Without a session, and not a request that opens one.
    assert.equal(await errorCode(await served.post(ping), 400), -32000);
    assert.equal(
      await errorCode(await served.post(ping, { "mcp-protocol-version": "1999-01-01" }), 400),
      -32000,
    );
    assert.equal(await errorCode(await served.fetch("/mcp", { method: "DELETE" }), 400), -32000);
    const events = { accept: "text/event-stream" };
    assert.equal(await errorCode(await served.fetch("/mcp", { headers: events }), 400), -32000);
    const html = { accept: "text/html" };
    assert.equal(await errorCode(await served.fetch("/mcp", { headers: html }), 406), -32000);
  },
);

e2e("a session of the legacy era lasts from its initialize to its DELETE [C04]", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  // A client that knows the modern headers may send them all the same.
  const opened = await served.post(served.message("initialize", INITIALIZE), {
    "mcp-protocol-version": "2025-11-25",
    "mcp-method": "initialize",
  });
  const id = opened.headers.get("mcp-session-id") ?? "";
  assert.match(id, /^[A-Za-z0-9_-]{32}$/);
  assert.equal(((await json(opened))["result"] as Message)["protocolVersion"], "2025-11-25");
  const session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  const noted = await served.post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  assert.equal(noted.status, 202);
  assert.equal(await noted.text(), "");
  const pong = await served.post(served.message("ping"), session);
  assert.deepEqual((await json(pong))["result"], {});
  // Neither the version's header nor the order of the types is insisted on.
  const bare = await served.post(served.message("ping"), {
    "mcp-session-id": id,
    accept: "text/event-stream;q=0.9, application/json; charset=utf-8",
  });
  assert.deepEqual((await json(bare))["result"], {});
  const again = await served.post(served.message("initialize", INITIALIZE), session);
  assert.equal(await errorCode(again, 400), -32600);
  const unknown = await served.post(served.message("ping"), { "mcp-session-id": "x" });
  assert.equal(await errorCode(unknown, 404), -32001);
  const answer = { jsonrpc: "2.0", id: "nobody-asked", result: {} };
  const taken = await served.post(answer, session);
  assert.equal(taken.status, 202);
  await taken.body?.cancel();
  await using stream = new Events(
    await served.fetch("/mcp", {
      headers: { ...session, accept: "text/event-stream" },
    }),
  );
  const gone = await served.fetch("/mcp", { method: "DELETE", headers: session });
  assert.equal(gone.status, 200);
  await gone.body?.cancel();
  await until(() => stream.isOver);
  assert.equal(await errorCode(await served.post(served.message("ping"), session), 404), -32001);
  const events = { ...session, accept: "text/event-stream" };
  assert.equal(await errorCode(await served.fetch("/mcp", { headers: events }), 404), -32001);
});

e2e(
  "a plain call is answered in JSON, one that reports before its answer as a stream",
  async (world) => {
    await world.userServers({ t: trap("good"), steps: trap("progress", "3", "20") });
    await using served = await Served.start(world);
    await offered(served, "t_echo");
    await offered(served, "steps_go");
    const session = await served.initialize();
    const call = (name: string, more: Message = {}): Message =>
      served.message("tools/call", { name, arguments: { text: "hi" }, ...more });
    const plain = await json(await served.post(call("t_echo"), session));
    assert.deepEqual(plain["result"], { content: [{ type: "text", text: "hi" }] });
    const meta = { _meta: { progressToken: "steps" } };
    const legacy = call("steps_go", meta);
    await using old = new Events(await served.post(legacy, session));
    await old.first(({ id }) => id === legacy["id"]);
    await until(() => old.isOver);
    assert.deepEqual(old.messages.slice(0, -1).map(tokenOf), ["steps", "steps", "steps"]);
    assert.equal(old.header("x-accel-buffering"), "no");
    assert.equal(old.header("cache-control"), "no-cache, no-transform");
    // The first event says nothing, and has an id to come back with.
    assert.match(old.text, /^id: (\d+)-0\ndata: \n\nid: \1-1\nevent: message\ndata: /);
    await using fresh = new Events(
      await served.modern("tools/call", { name: "steps_go", ...meta }),
    );
    await until(() => fresh.isOver);
    assert.equal(fresh.messages.length, 4);
    assert.deepEqual(fresh.ids, []);
    const silent = await served.modern("tools/call", { name: "t_echo", arguments: { text: "x" } });
    assert.equal(((await json(silent))["result"] as Message)["resultType"], "complete");
  },
);

function tokenOf({ params }: Message): unknown {
  return (params as Message)["progressToken"];
}

e2e("an array of messages is answered by an array, in sessions alone", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  const session = await served.initialize({ ...INITIALIZE, protocolVersion: "2025-03-26" });
  const ping = served.message("ping");
  const unknown = served.message("no/such");
  const noted = { jsonrpc: "2.0", method: "notifications/x" };
  const answers = await served.post([ping, noted, unknown], session);
  const byId = (await json(answers)) as unknown as readonly Message[];
  assert.deepEqual(byId.map(({ id }) => id).toSorted(), [ping["id"], unknown["id"]]);
  const only = await served.post([noted, noted], session);
  assert.equal(only.status, 202);
  await only.body?.cancel();
  const twice = served.message("ping");
  assert.equal(await errorCode(await served.post([twice, twice], session), 400), -32600);
  const opens = served.message("initialize", INITIALIZE);
  assert.equal(await errorCode(await served.post([opens, ping]), 400), -32600);
  const modern = served.message("ping", { _meta: ENVELOPE });
  assert.equal(await errorCode(await served.post([modern], session), 400), -32600);
});

e2e("requests of the modern era must say in headers what they say in the body", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  await offered(served, "t_echo");
  const params = { name: "t_echo", arguments: { text: "hi" } };
  const refused = async (
    headers: Readonly<Record<string, string>>,
    code: number,
    more: Message = {},
    status = 400,
  ): Promise<Message> => {
    const response = await served.modern("tools/call", { ...params, ...more }, { headers });
    const message = await json(response, status);
    const error = message["error"] as Message;
    assert.equal(error["code"], code, JSON.stringify(message));
    assert.equal(typeof message["id"], "number");
    return error;
  };
  await refused({ "mcp-method": "TOOLS/CALL" }, -32020);
  await refused({ "mcp-name": "t_add" }, -32020);
  await refused({ "mcp-name": "=?base64?dF9lY2hv!?=" }, -32020);
  await refused({ "mcp-name": "=?base64?dF9lY2h?=" }, -32020);
  await refused({ "mcp-protocol-version": "2025-11-25" }, -32020);
  const meta = (more: Message): Message => ({ _meta: { ...ENVELOPE, ...more } });
  const version = "io.modelcontextprotocol/protocolVersion";
  await refused({}, -32020, meta({ [version]: "v999.0.0" }));
  const unsupported = await refused(
    { "mcp-protocol-version": "v999.0.0" },
    -32022,
    meta({ [version]: "v999.0.0" }),
  );
  assert.deepEqual(unsupported["data"], { supported: ["2026-07-28"], requested: "v999.0.0" });
  const capabilities = "io.modelcontextprotocol/clientCapabilities";
  const bare = await refused({}, -32602, meta({ [capabilities]: undefined }));
  assert.deepEqual(bare["data"], { envelope: { key: capabilities, problem: "missing" } });
  await refused({}, -32602, meta({ [version]: undefined }));
  await refused({}, -32602, meta({ [version]: 7 }));
  for (const missing of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const headers: Record<string, string> = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "t_echo",
    };
    delete headers[missing];
    const message = served.message("tools/call", { ...params, _meta: ENVELOPE });
    assert.equal(await errorCode(await served.post(message, headers), 400), -32020, missing);
  }
  for (const name of ["t_echo", "  t_echo ", `=?base64?${btoa("t_echo")}?=`]) {
    const answer = await served.modern("tools/call", params, { headers: { "mcp-name": name } });
    assert.ok("result" in await json(answer), name);
  }
  const opening = served.message("initialize", INITIALIZE);
  const header = { "mcp-protocol-version": "2026-07-28" };
  assert.equal(await errorCode(await served.post(opening, header), 400), -32020);
});

e2e("the modern era has no methods of the legacy one, and says what it is", async (world) => {
  await world.userServers({ t: trap("good") });
  await using served = await Served.start(world);
  for (
    const method of [
      "initialize",
      "ping",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
      "unknown/method",
    ]
  ) assert.equal(await errorCode(await served.modern(method), 404), -32601, method);
  const { result } = await json(await served.modern("server/discover"));
  const { supportedVersions, _meta: meta } = result as Message;
  assert.deepEqual(supportedVersions, ["2026-07-28"]);
  assert.equal(((meta as Message)[INFO_KEY] as Message)["name"], "hotplug");
  // A notification has nobody to tell.
  const cancelled = {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1, _meta: ENVELOPE },
  };
  const noted = await served.post(cancelled, { "mcp-protocol-version": "2026-07-28" });
  assert.equal(noted.status, 202);
  await noted.body?.cancel();
});

e2e(
  "a stream of changes says what it is about, and ends when its host goes [C27]",
  async (world) => {
    await world.userServers({ t: trap("good") });
    await using served = await Served.start(world);
    await offered(served, "t_echo");
    const wrong = await served.modern("subscriptions/listen");
    assert.equal(await errorCode(wrong, 200), -32602);
    const wanted = { notifications: { toolsListChanged: true } };
    await using stream = new Events(await served.modern("subscriptions/listen", wanted));
    const begun = await stream.of("notifications/subscriptions/acknowledged");
    const { _meta: about } = begun["params"] as Message;
    await world.userServers({
      t: trap("good"),
      more: { ...trap("good"), env: { ...trap("good").env, INSTANCE: "other" } },
    });
    const changed = await stream.of("notifications/tools/list_changed");
    assert.deepEqual((changed["params"] as Message)["_meta"], about);
  },
);

e2e(
  "closing the connection cancels a request of the modern era, and none of a session [C25]",
  async (world) => {
    await world.userServers({ hung: trap("hang-call") });
    const trace = `${world.root}/trace`;
    await using served = await Served.start(world, { args: ["--trace", trace] });
    await offered(served, "hung_go");
    const seen = async (): Promise<readonly unknown[]> => {
      const answer = await json(await served.modern("tools/call", { name: "hung_was-cancelled" }));
      const [{ text }] = (answer["result"] as { content: [{ text: string }] }).content;
      return JSON.parse(text) as readonly unknown[];
    };
    const session = await served.initialize();
    const call = served.message("tools/call", { name: "hung_go" });
    // The clients at hand do not end a connection each time that they give up on it.
    const inSession = await written(served, call, session);
    const modern = await written(
      served,
      served.message("tools/call", { name: "hung_go", _meta: ENVELOPE }),
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "hung_go",
      },
    );
    await until(async () =>
      (await Deno.readTextFile(trace)).split(/"name":"go","arg/).length === 3
    );
    inSession.close();
    modern.close();
    await until(async () => (await seen()).length === 1);
    // The id of the session's request is still in use.
    const again = await served.post(call, session);
    assert.equal(await errorCode(again, 400), -32600);
    const cancelled = await served.post({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: call["id"] },
    }, session);
    assert.equal(cancelled.status, 202);
    await cancelled.body?.cancel();
    await until(async () => (await seen()).length === 2);
  },
);

e2e(
  "what a session is told while nobody listens is kept, once, until somebody does",
  async (world) => {
    await world.userServers({ t: trap("good") });
    await using served = await Served.start(world);
    await offered(served, "t_echo");
    const session = await served.initialize();
    const events = { headers: { ...session, accept: "text/event-stream" } };
    const other = (name: string): Promise<string> =>
      world.userServers({
        t: trap("good"),
        [name]: { ...trap("good"), env: { ...trap("good").env, INSTANCE: name } },
      });
    await other("one");
    await offered(served, "one_echo");
    await other("two");
    await offered(served, "two_echo");
    await using stream = new Events(await served.fetch("/mcp", events));
    await stream.of("notifications/tools/list_changed");
    assert.equal(stream.messages.length, 1);
    const last = stream.ids.at(-1) ?? "";
    // A client that has seen it does not get it again, one that has not does.
    await using after = new Events(
      await served.fetch("/mcp", { headers: { ...events.headers, "last-event-id": last } }),
    );
    await using before = new Events(
      await served.fetch("/mcp", { headers: { ...events.headers, "last-event-id": "0-0" } }),
    );
    await before.of("notifications/tools/list_changed");
    assert.deepEqual(after.messages, []);
  },
);

e2e("a session's stream that breaks is taken up where it broke", async (world) => {
  await world.userServers({ steps: trap("progress", "6", "150") });
  await using served = await Served.start(world);
  await offered(served, "steps_go");
  const session = await served.initialize();
  const call = served.message("tools/call", { name: "steps_go", _meta: { progressToken: 1 } });
  let last = "";
  {
    await using broken = new Events(await served.post(call, session));
    await broken.of("notifications/progress");
    last = broken.ids.at(-1) ?? "";
  }
  const headers = { ...session, accept: "text/event-stream", "last-event-id": last };
  await using resumed = new Events(await served.fetch("/mcp", { headers }));
  await resumed.first(({ id }) => id === call["id"]);
  await until(() => resumed.isOver);
  const missed = resumed.messages.filter(({ method }) => method !== undefined).map(({ params }) =>
    (params as Message)["progress"]
  );
  assert.ok(missed.length > 0 && missed.at(-1) === 6, JSON.stringify(missed));
});
