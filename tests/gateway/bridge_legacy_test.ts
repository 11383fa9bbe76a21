import assert from "node:assert/strict";
import { e2e, type World } from "../harness/e2e.ts";
import { sdkServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { codeOf, ModernRaw, resultOf, saidIn } from "./modern_raw.ts";
import { type Message, RawHost } from "./raw_host.ts";

const FILLED = { action: "accept", content: { name: "Ada" } };

const ABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

/** A test of a host of the legacy era, word by word, before servers of both eras that ask. */
function relayed(
  name: string,
  test: (host: RawHost) => Promise<void>,
  capabilities: Message = ABLE,
): void {
  e2e(name, async (world: World) => {
    await world.userServers({
      old: sdkServer("asking_legacy"),
      new: sdkServer("asking_modern"),
    });
    await using host = new RawHost(world);
    await host.initialize({ capabilities });
    await host.listing("old_form");
    await host.listing("new_form");
    await test(host);
  });
}

/** The newest request of the gateway by this method that is not answered yet. */
async function asked(host: RawHost, method: string, from = 0): Promise<Message> {
  return await host.first((message) =>
    message["method"] === method && host.messages.indexOf(message) >= from
  );
}

/** Answers a request of the gateway. */
async function answer(host: RawHost, { id }: Message, outcome: Message): Promise<void> {
  await host.line(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}

/** What the server of the legacy era has seen, as text. */
async function seenBy(host: RawHost): Promise<string> {
  return JSON.stringify(await host.call("old_seen"));
}

relayed(
  "a server's request reaches the host as it is, and the answer the server, errors too",
  async (host) => {
    for (
      const outcome of [
        { result: { ...FILLED, extra: [1] } },
        { error: { code: -1, message: "The user said no", data: { why: "busy" } } },
      ]
    ) {
      const from = host.messages.length;
      const id = await host.start("tools/call", { name: "old_form", arguments: {} });
      const { params, ...request } = await asked(host, "elicitation/create", from);
      assert.deepEqual((params as Message)["requestedSchema"], {
        type: "object",
        properties: { name: { type: "string", default: "Bo" } },
      });
      await answer(host, request, outcome);
      const said = saidIn(await host.answer(id)) as Message;
      if ("result" in outcome) assert.deepEqual(said, outcome.result);
      else assert.deepEqual([said["code"], said["data"]], [-1, { why: "busy" }]);
    }
  },
);

relayed("a method that only the host may know is left to it", async (host) => {
  const id = await host.start("tools/call", { name: "old_other", arguments: {} });
  const request = await asked(host, "x/other");
  assert.equal((request["params"] as Message)["odd"], true);
  await answer(host, request, { result: { known: true } });
  assert.deepEqual(saidIn(await host.answer(id)), { known: true });
});

relayed("what a server asks outside of any request reaches the host, too", async (host) => {
  await host.call("old_late");
  await answer(host, await asked(host, "elicitation/create"), { result: FILLED });
  await until(async () => (await seenBy(host)).includes("Ada"), 20_000);
});

relayed("the host is asked for roots when it is ready, and its changes are told", async (host) => {
  await answer(host, await asked(host, "roots/list"), {
    result: { roots: [{ uri: "file:///one" }] },
  });
  await until(async () => (await seenBy(host)).includes("file:///one"), 20_000);
  const from = host.messages.length;
  await host.notify("notifications/roots/list_changed");
  await answer(host, await asked(host, "roots/list", from), {
    result: { roots: [{ uri: "file:///two" }] },
  });
  await until(async () => (await seenBy(host)).includes("file:///two"), 20_000);
});

relayed("what a server withdraws is cancelled at the host", async (host) => {
  const id = await host.start("tools/call", { name: "old_withdrawn", arguments: {} });
  const request = await asked(host, "elicitation/create");
  const cancelled = await host.first(({ method, params }) =>
    method === "notifications/cancelled" &&
    (params as Message)["requestId"] === request["id"]
  );
  assert.ok(cancelled);
  assert.match(JSON.stringify(await host.answer(id)), /timed out/i);
  // An answer that comes all the same goes nowhere.
  await answer(host, request, { result: FILLED });
  assert.match(await seenBy(host), /withdrawn/);
});

relayed("a host that goes while it is asked leaves nothing behind", async (host) => {
  await host.start("tools/call", { name: "old_cancelled", arguments: {} });
  await host.start("tools/call", { name: "new_form", arguments: {} });
  await asked(host, "elicitation/create");
  await host.closeInput();
  assert.equal(await host.ended, 0);
});

relayed(
  "a page of a modern server gets the name that the host's era asks for, and its end is told",
  async (host) => {
    const id = await host.start("tools/call", { name: "new_page", arguments: {} });
    const request = await asked(host, "elicitation/create");
    const { elicitationId, url, mode } = request["params"] as Message;
    assert.equal(typeof elicitationId, "string");
    assert.deepEqual([url, mode], ["https://example.com/visit", "url"]);
    await answer(host, request, { result: { action: "accept" } });
    assert.equal(codeOf(await host.answer(id)), null);
    const { params } = await asked(host, "notifications/elicitation/complete");
    assert.deepEqual(params, { elicitationId });
  },
);

relayed("what a modern server needs of a host that cannot do it is a clear error", async (host) => {
  for (const [tool, capability] of [["new_form", "elicitation"], ["new_roots", "roots"]]) {
    const refusal = await host.ask("tools/call", { name: tool, arguments: {} });
    assert.equal(codeOf(refusal), -32021);
    const { data } = refusal["error"] as { data: { requiredCapabilities: Message } };
    assert.deepEqual(Object.keys(data.requiredCapabilities), [capability]);
  }
}, { sampling: {} });

e2e("between a host and a server of the modern era nothing is touched", async (world) => {
  await world.userServers({ new: sdkServer("asking_modern") });
  await using host = new RawHost(world);
  const raw = new ModernRaw(host);
  await raw.listing("new_form");
  const STATE = '{"a": 1}  \u0161 ';
  for (
    const [method, params] of [
      ["tools/call", { name: "new_form", arguments: {} }],
      ["prompts/get", { name: "new_ask" }],
      ["resources/read", { uri: "ask://two" }],
    ] as const
  ) {
    const { inputRequests, requestState } = resultOf(await raw.ask(method, params));
    assert.deepEqual(inputRequests, {
      form: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who?",
          requestedSchema: {
            type: "object",
            properties: { name: { type: "string", default: "Bo" } },
          },
        },
      },
    }, method);
    assert.equal(requestState, method === "tools/call" ? STATE : undefined);
    const inputResponses = { form: FILLED };
    const last = await raw.ask(method, {
      ...params,
      inputResponses,
      ...(requestState === undefined ? {} : { requestState }),
    });
    assert.match(JSON.stringify(last), /Ada/, method);
  }
  assert.deepEqual((await raw.call("new_refuses"))["error"], {
    code: -32099,
    message: "Not today",
    data: { until: "tomorrow" },
  });
  // Each request's own word reaches the server.
  const told = saidIn(await new ModernRaw(host, { sampling: {} }).call("new_asker")) as Message;
  assert.deepEqual(told["io.modelcontextprotocol/clientCapabilities"], { sampling: {} });
  assert.deepEqual(told["io.modelcontextprotocol/clientInfo"], {
    name: "raw-modern",
    version: "1.0.0",
  });
});
