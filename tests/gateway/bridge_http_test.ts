import assert from "node:assert/strict";
import { e2e, ON_LINUX, succeeded, type World } from "../harness/e2e.ts";
import { sdkServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { ANSWERS, type AskedClient, CLIENTS, overHttp } from "./asked_clients.ts";
import { Events, json, Served } from "./http/served.ts";
import { answered, asking, codeOf, MODERN_ALL, resultOf, saidIn } from "./modern_raw.ts";
import type { Message } from "./raw_host.ts";

const FILLED = { action: "accept", content: { name: "Ada" } };

const SERVERS = {
  mine: { ...sdkServer("asking_legacy"), share: false },
  ours: { ...sdkServer("asking_legacy"), args: [...sdkServer("asking_legacy").args, "stdio"] },
  new: sdkServer("asking_modern"),
};

/** A gateway over HTTP for two users. */
async function forTwo(world: World): Promise<{ served: Served; ada: string; bob: string }> {
  const path = await world.write(
    "tokens",
    "ada ada-token-0123456789abcdef\nbob bob-token-0123456789abcdef\n",
  );
  await Deno.chmod(path, 0o600);
  const served = await Served.start(world, { args: ["--token-file", path] });
  return { served, ada: "ada-token-0123456789abcdef", bob: "bob-token-0123456789abcdef" };
}

/** Calls a tool as a host of the modern era. */
async function call(
  served: Served,
  token: string,
  name: string,
  more: Message = {},
  capabilities: Message = MODERN_ALL,
): Promise<Message> {
  const _meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
  const response = await served.modern("tools/call", { name, arguments: {}, ...more, _meta }, {
    headers: { authorization: `Bearer ${token}` },
  });
  return await json(response);
}

/** A client of the legacy era. */
async function legacyClient(served: Served): Promise<AskedClient> {
  const [client] = CLIENTS;
  if (client === undefined) throw new Error("There is no client");
  return await client.connect(overHttp(served));
}

/** Process id of the server behind a tool that tells what it has seen. */
async function pidBy(client: AskedClient, name: string): Promise<number> {
  const [{ pid }] = await client.call(name) as [{ pid: number }];
  return pid;
}

for (const { name, connect } of CLIENTS) {
  e2e(
    `over HTTP ${name} is asked by servers of its own and by shared modern ones, by no other`,
    async (world) => {
      await world.userServers(SERVERS);
      await using served = await Served.start(world);
      const client = await connect(overHttp(served));
      try {
        await client.listing("mine_form", "ours_form", "new_form");
        for (const [question, answer] of Object.entries(ANSWERS)) {
          assert.deepEqual(await client.call(`mine_${question}`), answer, `mine ${question}`);
          assert.deepEqual(await client.call(`new_${question}`), {
            inputResponses: { [question]: answer },
            state: true,
          }, `new ${question}`);
        }
        const { form, sample, roots } = ANSWERS;
        assert.deepEqual(await client.call("mine_several"), [form, sample, roots]);
        assert.deepEqual(await client.call("mine_row"), [form, sample, roots]);
        assert.deepEqual(await client.call("new_row"), [{ form }, { sample }, { roots }]);
        assert.deepEqual(await client.prompt("mine_ask"), form);
        assert.deepEqual(await client.prompt("new_ask"), { form });
        assert.deepEqual(await client.read("ask://two"), { form });
        const [{ capabilities }] = await client.call("ours_seen") as [{ capabilities: unknown }];
        assert.deepEqual(capabilities, {});
        assert.match(JSON.stringify(await client.call("ours_form")), /-32601|not support/);
        assert.ok((await client.progress("mine_steps")).includes(2));
      } finally {
        await client.close();
      }
    },
  );
}

e2e(
  "each legacy session has servers of its own, which end with it, and shares the others",
  async (world) => {
    await world.userServers(SERVERS);
    await using served = await Served.start(world);
    const one = await legacyClient(served);
    const two = await legacyClient(served);
    try {
      for (const client of [one, two]) await client.listing("mine_seen", "ours_seen");
      assert.equal(await pidBy(one, "ours_seen"), await pidBy(two, "ours_seen"));
      const own = await pidBy(one, "mine_seen");
      assert.notEqual(own, await pidBy(two, "mine_seen"));
      await one.close();
      await until(() => !isAlive(own), 20_000);
      assert.deepEqual(await two.call("mine_form"), ANSWERS.form);
    } finally {
      await two.close();
    }
  },
  ON_LINUX,
);

e2e(
  "a host hears of its own pages and roots alone, over servers that it shares and its own",
  async (world) => {
    await world.userServers(SERVERS);
    await using served = await Served.start(world);
    const one = await legacyClient(served);
    const two = await legacyClient(served);
    try {
      for (const client of [one, two]) await client.listing("mine_visit", "ours_visit");
      const refusal = await one.call("ours_visit").then(() => null, (thrown) => thrown);
      assert.equal(refusal?.code, -32042);
      // Whoever has the server say so, the one who was sent there hears of it.
      await two.call("ours_complete");
      await until(() => one.completed.length > 0, 20_000);
      two.roots = ["file:///two"];
      await two.rootsChanged();
      await until(
        async () => JSON.stringify(await two.call("mine_seen")).includes("file:///two"),
        20_000,
      );
      assert.doesNotMatch(
        JSON.stringify(await one.call("mine_seen")),
        /file:\/\/\/two|roots changed/,
      );
      assert.deepEqual(two.completed, []);
    } finally {
      await one.close();
      await two.close();
    }
  },
);

e2e("a state of one user is as good as forged in the hands of another", async (world) => {
  await world.userServers(SERVERS);
  const { served, ada, bob } = await forTwo(world);
  await using _end = served;
  await until(async () => codeOf(await call(served, ada, "mine_seen")) === null, 30_000);
  await until(async () => codeOf(await call(served, bob, "mine_seen")) === null, 30_000);
  const first = asking(await call(served, ada, "mine_form"));
  const more = { requestState: first.requestState, inputResponses: answered(first, FILLED) };
  assert.equal(codeOf(await call(served, bob, "mine_form", more)), -32602);
  assert.deepEqual(saidIn(await call(served, ada, "mine_form", more)), FILLED);
  const pid = async (token: string): Promise<string> =>
    /"pid":\d+/.exec(JSON.stringify(saidIn(await call(served, token, "mine_seen"))))?.[0] ?? "";
  assert.notEqual(await pid(ada), await pid(bob));
  assert.equal(await pid(ada), await pid(ada));
});

e2e(
  "a server of one's own is told what each request declares, by a session for each",
  async (world) => {
    await world.userServers(SERVERS);
    await using served = await Served.start(world);
    const { token } = served;
    const told = async (capabilities: Message): Promise<unknown> => {
      const said = saidIn(await call(served, token, "mine_seen", {}, capabilities));
      // The SDK writes forms out.
      return Array.isArray(said) ? Object.keys(said[0]?.capabilities) : null;
    };
    await until(async () => await told({ sampling: {} }) !== null, 30_000);
    assert.deepEqual(await told({ sampling: {} }), ["sampling"]);
    await until(async () => await told({ elicitation: {} }) !== null, 30_000);
    assert.deepEqual(await told({ elicitation: {} }), ["elicitation"]);
    assert.deepEqual(await told({ sampling: {} }), ["sampling"]);
    const several = asking(await call(served, token, "mine_several", {}, { sampling: {} }));
    assert.deepEqual(Object.values(several.inputRequests).map(({ method }) => method), [
      "sampling/createMessage",
    ]);
  },
);

e2e("mcp status and reload reach what hosts have of their own [G07] [I08]", async (world) => {
  await world.userServers(SERVERS);
  await using served = await Served.start(world);
  const client = await legacyClient(served);
  try {
    await client.listing("mine_form", "ours_form");
    const { sessions } = succeeded(await world.mcp(["status", "--session", "--json"])).json() as {
      sessions: readonly { servers: readonly { name: string; state: string }[] }[];
    };
    const states = sessions.map(({ servers }) =>
      Object.fromEntries(servers.map(({ name, state }) => [name, state]))
    );
    assert.deepEqual(
      states.sort((a, b) => String(a["mine"]).localeCompare(String(b["mine"]))),
      [
        { mine: "connected", ours: "filtered", new: "filtered" },
        { mine: "filtered", ours: "connected", new: "connected" },
      ],
    );
    const before = await pidBy(client, "mine_seen");
    succeeded(await world.mcp(["reload", "mine"]));
    await until(
      async () => await pidBy(client, "mine_seen").catch(() => before) !== before,
      20_000,
    );
  } finally {
    await client.close();
  }
});

e2e(
  "a server that is no longer shared, or shared again, is so for the hosts that are there",
  async (world) => {
    const { new: modern } = SERVERS;
    const write = async (share: boolean): Promise<void> =>
      void await world.userServers({ new: modern, mine: { ...sdkServer("asking_legacy"), share } });
    await write(true);
    await using served = await Served.start(world);
    const one = await legacyClient(served);
    const two = await legacyClient(served);
    const pids = async (): Promise<readonly (number | null)[]> =>
      await Promise.all([one, two].map((client) => pidBy(client, "mine_seen").catch(() => null)));
    const become = async (isShared: boolean): Promise<void> =>
      await until(async () => {
        const [first, second] = await pids();
        return first !== null && second !== null && (first === second) === isShared;
      }, 40_000);
    try {
      await become(true);
      await write(false);
      await become(false);
      for (const client of [one, two]) await client.listing("mine_seen", "new_form");
      assert.deepEqual(await one.call("mine_form"), ANSWERS.form);
      await write(true);
      await become(true);
      assert.match(JSON.stringify(await one.call("mine_form")), /-32601|not support/);
    } finally {
      await one.close();
      await two.close();
    }
  },
);

e2e("no server sees the token that a host shows the gateway [H08]", async (world) => {
  const seen: string[] = [];
  const remote = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      seen.push(JSON.stringify([...request.headers]) + await request.text());
      return new Response("no", { status: 400 });
    },
  );
  try {
    const url = `http://127.0.0.1:${remote.addr.port}/mcp`;
    await world.userServers({
      remote: { type: "http", url },
      own: { type: "http", url: `${url}?own`, share: false },
      ...SERVERS,
    });
    await using served = await Served.start(world);
    const { token } = served;
    await until(async () => codeOf(await call(served, token, "mine_seen")) === null, 30_000);
    await until(() => seen.some((text) => text.includes("initialize")), 20_000);
    assert.ok(token.length > 20);
    assert.ok(!seen.some((text) => text.includes(token)), "a header or body has it");
    const answer = resultOf(await call(served, token, "new_asker"));
    assert.ok(!JSON.stringify(answer).includes(token));
  } finally {
    await remote.shutdown();
  }
});

function isAlive(pid: number): boolean {
  try {
    return !Deno.readTextFileSync(`/proc/${pid}/stat`).includes(") Z ");
  } catch {
    return false;
  }
}

e2e("a reload tells hosts over HTTP once, and waits for none to ask again", async (world) => {
  const { ours } = SERVERS;
  await world.userServers({ ours });
  await using served = await Served.start(world);
  const session = await served.initialize();
  await using own = new Events(
    await served.fetch("/mcp", { headers: { ...session, accept: "text/event-stream" } }),
  );
  const listed = async (): Promise<string> =>
    await (await served.post(served.message("tools/list"), session)).text();
  await until(async () => (await listed()).includes("ours_form"), 20_000);
  const told = (): number =>
    own.messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
  const before = told();
  await world.userServers({ ours, new: sdkServer("asking_modern") });
  succeeded(await world.mcp(["reload"]));
  await until(() => told() > before, 20_000);
  assert.equal(told(), before + 1);
});
