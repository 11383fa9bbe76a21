import assert from "node:assert/strict";
import { MOST_OF_ONE } from "../../src/gateway/bridge/parked_calls.ts";
import { e2e, succeeded, type World } from "../harness/e2e.ts";
import { sdkServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { answered, asking, codeOf, ModernRaw, resultOf, saidIn } from "./modern_raw.ts";
import { RawHost } from "./raw_host.ts";

const FILLED = { action: "accept", content: { name: "Ada" } };

/** A test of a host of the modern era before a server of the legacy one that asks. */
function bridged(name: string, test: (raw: ModernRaw, host: RawHost) => Promise<void>): void {
  e2e(name, async (world: World) => {
    await world.userServers({ old: sdkServer("asking_legacy") });
    await using host = new RawHost(world);
    const raw = new ModernRaw(host);
    await raw.listing("old_form");
    await test(raw, host);
  });
}

/** What the server has seen, as text. */
async function seenBy(raw: ModernRaw): Promise<string> {
  return JSON.stringify(saidIn(await raw.call("old_seen")));
}

bridged("what a server asks stands in a result as the modern era has it", async (raw) => {
  const { inputRequests, requestState } = asking(await raw.call("old_several"));
  assert.deepEqual(Object.values(inputRequests), [
    {
      method: "elicitation/create",
      params: {
        message: "Who?",
        requestedSchema: {
          type: "object",
          properties: { name: { type: "string", default: "Bo" } },
        },
      },
    },
    {
      method: "sampling/createMessage",
      params: {
        messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
        maxTokens: 5,
      },
    },
    { method: "roots/list" },
  ]);
  assert.equal(typeof requestState, "string");
});

bridged("prompts and resources that ask are bridged like tools", async (raw) => {
  for (
    const [method, params, read] of [
      ["prompts/get", { name: "old_ask" }, (result: object) => Reflect.get(result, "description")],
      [
        "resources/read",
        { uri: "ask://one" },
        (result: object) => Reflect.get(result, "contents")[0].text,
      ],
    ] as const
  ) {
    const first = asking(await raw.ask(method, params));
    const { requestState } = first;
    const inputResponses = answered(first, FILLED);
    const last = await raw.ask(method, { ...params, requestState, inputResponses });
    assert.deepEqual(JSON.parse(read(resultOf(last))), FILLED, method);
  }
});

bridged("a state that was touched, is of another call or was used is refused", async (raw) => {
  const first = asking(await raw.call("old_form"));
  const { requestState } = first;
  const inputResponses = answered(first, FILLED);
  const touched = `${requestState.slice(0, -1)}${requestState.endsWith("0") ? "1" : "0"}`;
  const wrong: [string, Record<string, unknown>][] = [
    ["old_form", { requestState: touched }],
    ["old_form", { requestState: `${requestState}-TAMPERED` }],
    ["old_form", { requestState: "" }],
    ["old_form", { requestState: 7 }],
    ["old_form", { requestState, arguments: { other: true } }],
    ["old_row", { requestState }],
  ];
  for (const [tool, more] of wrong) {
    const answer = await raw.call(tool, { ...more, inputResponses });
    assert.equal(codeOf(answer), -32602, JSON.stringify(more));
    assert.match(JSON.stringify(answer), /requestState/);
  }
  // All the while the call waits for the right one, which it takes once.
  assert.deepEqual(saidIn(await raw.call("old_form", { requestState, inputResponses })), FILLED);
  const again = await raw.call("old_form", { requestState, inputResponses });
  assert.equal(codeOf(again), -32602);
  assert.match(JSON.stringify(again), /used before/);
});

bridged("what is missing or is no answer is asked for again, with another state", async (raw) => {
  const first = asking(await raw.call("old_form"));
  const [key = ""] = Object.keys(first.inputRequests);
  let { requestState } = first;
  for (
    const inputResponses of [undefined, null, { other: FILLED }, { [key]: 12345 }, { [key]: {} }]
  ) {
    const next = asking(await raw.call("old_form", { requestState, inputResponses }));
    assert.deepEqual(next.inputRequests, first.inputRequests);
    assert.notEqual(next.requestState, requestState);
    requestState = next.requestState;
  }
  const last = await raw.call("old_form", { requestState, inputResponses: { [key]: FILLED } });
  assert.deepEqual(saidIn(last), FILLED);
});

bridged("answers without a state belong to no call: it begins anew", async (raw) => {
  const answer = await raw.call("old_form", { inputResponses: { "input-1": FILLED } });
  assert.equal(Object.keys(asking(answer).inputRequests).length, 1);
});

bridged(
  "a server that asks what the host cannot do is refused, and the call goes on",
  async (_, host) => {
    const raw = new ModernRaw(host, { sampling: {} });
    assert.equal((saidIn(await raw.call("old_form")) as { code: number }).code, -32601);
    assert.equal((saidIn(await raw.call("old_roots")) as { code: number }).code, -32601);
    const [question] = Object.values(asking(await raw.call("old_several")).inputRequests);
    assert.equal(question?.["method"], "sampling/createMessage");
    const forms = new ModernRaw(host, { elicitation: {} });
    assert.equal((saidIn(await forms.call("old_page")) as { code: number }).code, -32602);
  },
);

bridged("a server that withdraws what it asked goes on without the answer", async (raw) => {
  const first = asking(await raw.call("old_withdrawn"));
  const { requestState } = first;
  const inputResponses = answered(first, FILLED);
  // It waits for 300 ms.
  await until(async () => (await seenBy(raw)).includes('"withdrawn"'), 20_000);
  const last = await raw.call("old_withdrawn", { requestState, inputResponses });
  assert.match(JSON.stringify(saidIn(last)), /timed out/i);
});

bridged(
  "a call whose server dies while it is parked fails when its host comes back",
  async (raw) => {
    const pid = async (): Promise<string | undefined> => /"pid":(\d+)/.exec(await seenBy(raw))?.[1];
    const before = await pid();
    const first = asking(await raw.call("old_dies"));
    const { requestState } = first;
    const inputResponses = answered(first, FILLED);
    // It dies after 300 ms, and another comes up.
    await until(async () => ![before, undefined].includes(await pid()), 20_000);
    const last = resultOf(await raw.call("old_dies", { requestState, inputResponses }));
    assert.equal(last["isError"], true);
    assert.match(JSON.stringify(last), /outcome unknown/);
  },
);

bridged(
  "a host that cancels when it has come back cancels the call at its server",
  async (raw, host) => {
    const first = asking(await raw.call("old_cancelled"));
    const id = await raw.start("tools/call", {
      name: "old_cancelled",
      arguments: {},
      requestState: first.requestState,
      inputResponses: answered(first, FILLED),
    });
    const seen = (): Promise<string> => seenBy(raw);
    await until(async () => (await seen()).includes("Ada"), 20_000);
    await host.notify("notifications/cancelled", { requestId: id });
    await until(async () => (await seen()).includes('"cancelled"'), 20_000);
  },
);

bridged("calls that are never taken up again are bounded: the oldest is ended", async (raw) => {
  const states: string[] = [];
  for (let count = 0; count < MOST_OF_ONE + 3; count++) {
    states.push(asking(await raw.call("old_cancelled")).requestState);
  }
  const seen = await seenBy(raw);
  assert.equal(seen.split('"refused"').length - 1, 3, "the server was told that nobody answers");
  const inputResponses = { "input-1": FILLED };
  const oldest = await raw.call("old_cancelled", { requestState: states[0], inputResponses });
  assert.equal(codeOf(oldest), -32602);
  assert.match(JSON.stringify(oldest), /its call is over/);
});

bridged(
  "what is asked at once by several calls is answered by whichever comes back",
  async (raw, host) => {
    const ids = await Promise.all(
      ["old_form", "old_form", "old_form"].map((name) =>
        raw.start("tools/call", { name, arguments: {} })
      ),
    );
    // Which call a question belongs to cannot be told over stdio: some call has all of them.
    const texts: unknown[] = [];
    const waiting = new Set(ids);
    while (waiting.size > 0) {
      await until(() => host.messages.some(({ id }) => waiting.has(Number(id))), 20_000);
      const answer = host.messages.find(({ id }) => waiting.has(Number(id))) ?? {};
      waiting.delete(Number(answer["id"]));
      if (resultOf(answer)["resultType"] !== "input_required") texts.push(saidIn(answer));
      else {
        const asked = asking(answer);
        waiting.add(
          await raw.start("tools/call", {
            name: "old_form",
            arguments: {},
            requestState: asked.requestState,
            inputResponses: answered(asked, FILLED),
          }),
        );
      }
    }
    assert.deepEqual(texts, [FILLED, FILLED, FILLED]);
  },
);

e2e("outside a call nobody is asked: roots are those that a call has named", async (world) => {
  const asks = sdkServer("asking_legacy");
  await world.userServers({ old: asks, other: { ...asks, args: [...asks.args, "stdio"] } });
  await using host = new RawHost(world);
  const raw = new ModernRaw(host);
  await raw.listing("old_form");
  await raw.listing("other_form");
  const seen = async (server: string): Promise<string> =>
    JSON.stringify(saidIn(await raw.call(`${server}_seen`)));
  // They asked for roots when they came up.
  for (const server of ["old", "other"]) {
    const refused = "only while one of its requests runs";
    await until(async () => (await seen(server)).includes(refused), 20_000);
  }
  await raw.call("old_late");
  await until(async () => (await seen("old")).includes('"late":{"code":-32603'), 20_000);
  const roots = { roots: [{ uri: "file:///here" }] };
  for (let round = 0; round < 2; round++) {
    // In a call the host is asked each time.
    const first = asking(await raw.call("old_roots"));
    const inputResponses = answered(first, roots);
    const { requestState } = first;
    assert.deepEqual(saidIn(await raw.call("old_roots", { requestState, inputResponses })), roots);
  }
  // The other one is told that there is something new, once, and gets it without a call.
  await until(async () => (await seen("other")).includes(JSON.stringify(roots)), 20_000);
  assert.equal((await seen("other")).split("roots changed").length - 1, 1);
  assert.doesNotMatch(await seen("old"), /roots changed/);
});

e2e("the era of a server that is still on its way counts once it is there", async (world) => {
  await world.userServers({ old: sdkServer("asking_legacy") });
  // Without roots, for which this server asks by itself.
  const capabilities = { elicitation: { form: {}, url: {} } };
  {
    await using host = new RawHost(world);
    await new ModernRaw(host).listing("old_visit");
  }
  {
    await using host = new RawHost(world);
    const { inputRequests } = asking(await new ModernRaw(host, capabilities).call("old_visit"));
    assert.deepEqual(Object.values(inputRequests).map(({ method }) => method), [
      "elicitation/create",
    ]);
  }
  await using host = new RawHost(world);
  await host.initialize({ capabilities });
  const { error } = await host.call("old_visit");
  assert.equal((error as { code: number }).code, -32042);
});

e2e("a call of a paused server says so, and how that ends", async (world) => {
  await world.userServers({ old: sdkServer("asking_legacy") });
  await using host = new RawHost(world);
  const raw = new ModernRaw(host);
  await raw.listing("old_seen");
  succeeded(await world.mcp(["pause", "old"]));
  assert.match(String(saidIn(await raw.call("old_seen"))), /"old" is paused.*mcp resume old/s);
});
