import assert from "node:assert/strict";
import { chainOf } from "../../src/session/gateway_chain.ts";
import { startCuttingProxy } from "../harness/cutting_proxy.ts";
import { e2e, ON_LINUX, row, states, succeeded, type World } from "../harness/e2e.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { program } from "../harness/run_cli.ts";
import { npmServer, trap } from "../harness/servers.ts";
import { makeTempHome, type TempHome } from "../harness/temp_home.ts";
import { until } from "../harness/until.ts";
import { ENVELOPE, json, Served } from "./http/served.ts";
import { type Message, RawHost } from "./raw_host.ts";

// After each of these no process of the home may be alive: `e2e` looks.

/** Writes a program that runs `mcp serve` in a folder, which nobody can tell from outside. */
async function wrapper(world: World, folder: string): Promise<string> {
  const words = [...program(), "serve"].map((word) => `'${word}'`).join(" ");
  const text = `#!/bin/sh\ncd '${folder}' && exec ${words} "$@"\n`;
  const path = await world.write("home/bin/all-my-tools", text);
  await Deno.chmod(path, 0o755);
  return path;
}

/** What a list says of each server. */
function outcomes(answer: Message): Record<string, Message> {
  const { _meta: meta } = answer["result"] as { readonly _meta: Message };
  return meta["dev.hotplug/servers"] as Record<string, Message>;
}

/** Names of the tools in the answer to a `tools/list`. */
function namesIn(answer: Message): readonly string[] {
  const { tools } = answer["result"] as { readonly tools: readonly Message[] };
  return tools.map(({ name }) => String(name));
}

/** The random id of a gateway, as its tools tell it. */
function idIn(answer: Message): string {
  const { tools } = answer["result"] as { readonly tools: readonly { readonly _meta: Message }[] };
  const via = tools[0]?._meta["dev.hotplug/via"] as readonly string[];
  assert.equal(via.length, 1);
  return String(via[0]);
}

/** What the error in an answer says of the loop. */
function loopIn(answer: Message): unknown {
  const { data } = answer["error"] as { readonly data: Message };
  return data["dev.hotplug/loop"];
}

e2e(
  "a script that starts the gateway of the same workspace once more is left out, calmly",
  async (world) => {
    const command = await wrapper(world, world.project);
    await world.userServers({ s: trap("good"), mine: { command, env: world.env } });
    await using host = new RawHost(world);
    await host.initialize();
    await until(async () =>
      outcomes(await host.ask("tools/list"))["mine"]?.["state"] === "filtered"
    );
    const answer = await host.ask("tools/list");
    assert.deepEqual(namesIn(answer), ["s_echo", "s_add"]);
    const { error } = outcomes(answer)["mine"] ?? {};
    const { code, message, hint } = error as Message;
    assert.equal(code, "gateway-loop");
    assert.match(String(message), /own gateway, whose servers are started here anyway$/);
    assert.match(String(hint), /^Nothing to do/);
    // So do the commands that start servers, and each again.
    for (const _ of [1, 2]) {
      const document = await world.status();
      assert.deepEqual(states(document), { s: "connected", mine: "filtered" });
      assert.equal(row(document, "mine").error?.code, "gateway-loop");
      assert.equal(document.summary.failed, 0);
    }
    succeeded(await world.mcp(["status", "--strict"]));
    assert.equal(states(await world.status("--cached"))["mine"], "disconnected");
    const { stdout } = succeeded(await world.mcp(["doctor"]));
    assert.doesNotMatch(stdout, /error.*mine/);
  },
  ON_LINUX,
);

e2e(
  "a script that starts the gateway of another workspace is a server like any other",
  async (world) => {
    const other = `${world.root}/other`;
    await Deno.mkdir(`${other}/.git`, { recursive: true });
    const command = await wrapper(world, other);
    await world.userServers({ s: trap("good"), mine: { command, env: world.env } });
    await using host = new RawHost(world);
    await host.initialize();
    await host.listing("mine_s_echo");
    const answer = await host.ask("tools/list");
    assert.deepEqual(namesIn(answer), ["s_echo", "s_add", "mine_s_echo", "mine_s_add"]);
    const result = await host.call("mine_s_echo", { text: "through two" });
    assert.match(JSON.stringify(result["content"]), /through two/);
  },
  ON_LINUX,
);

e2e("a gateway inside an agent that is a server of the same workspace serves it", async (world) => {
  await world.userServers({ s: trap("good") });
  const session = { id: "outer", workspacePath: world.project };
  const HOTPLUG_CHAIN = chainOf("", { command: "agent" }, session);
  await using host = new RawHost(world, { env: { HOTPLUG_CHAIN } });
  await host.initialize();
  await host.listing("s_echo");
  // Not so the session itself: it has these servers.
  await using direct = new RawHost(world, { env: { HOTPLUG_CHAIN } });
  const answer = await direct.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "hotplug", version: "1" },
    _meta: { "dev.hotplug/chain": ["outer"] },
  });
  assert.equal(loopIn(answer), "same-workspace");
  assert.equal(loopIn(await direct.ask("tools/list")), "same-workspace");
});

e2e("over stdio a host that names the gateway among its sessions is refused", async (world) => {
  await world.userServers({ s: trap("good") });
  await using host = new RawHost(world);
  await host.initialize();
  await host.listing("s_echo");
  const id = idIn(await host.ask("tools/list"));
  for (const chain of [[id], ["one", id], [id, "two"]]) {
    for (const meta of [{}, ENVELOPE]) {
      const _meta = { ...meta, "dev.hotplug/chain": chain };
      for (const method of ["server/discover", "tools/list"]) {
        assert.equal(loopIn(await host.ask(method, { _meta })), "itself");
      }
    }
  }
  const deep = { _meta: { ...ENVELOPE, "dev.hotplug/chain": ["one", "two", "three", "four"] } };
  assert.equal(loopIn(await host.ask("server/discover", deep)), "too-deep");
  // Others are welcome, whatever else they send.
  for (const chain of [["one", "two", "three"], [], "word", [1], null]) {
    const _meta = { ...ENVELOPE, "dev.hotplug/chain": chain };
    assert.deepEqual(namesIn(await host.ask("tools/list", { _meta })), ["s_echo", "s_add"]);
  }
});

/** An entry of a config that leads to a gateway. */
function entryOf({ token }: Served, url: string, more: Message = {}): Message {
  return { type: "http", url, headers: { Authorization: `Bearer ${token}` }, ...more };
}

/** The list of a gateway over HTTP. */
async function listOf(served: Served): Promise<Message> {
  return await json(await served.modern("tools/list"));
}

e2e("over HTTP its own address among its servers is left out", async (world) => {
  await world.userServers({ s: trap("good") });
  await using served = await Served.start(world);
  const url = served.url.replace("127.0.0.1", "localhost");
  await world.userServers({
    s: trap("good"),
    here: entryOf(served, url),
    bridged: { command: "mcp-remote", args: [served.url] },
  });
  await until(async () => Object.keys(outcomes(await listOf(served))).length === 3, 20_000);
  const answer = await listOf(served);
  for (const name of ["here", "bridged"]) {
    const { state, error } = outcomes(answer)[name] as { readonly state: string; error: Message };
    assert.equal(state, "filtered");
    assert.equal(error["message"], "It leads to this very gateway");
  }
  assert.deepEqual(namesIn(answer), ["s_echo", "s_add"]);
});

e2e(
  "over HTTP it refuses to be its own server behind an address that it does not know",
  async (world) => {
    await world.userServers({ s: trap("good") });
    await using served = await Served.start(world);
    const proxy = await startCuttingProxy(served.url);
    try {
      await world.ompServers({
        modern: entryOf(served, proxy.url),
        legacy: entryOf(served, `${proxy.url}?x=1`, { protocol: "legacy" }),
      });
      await until(async () => {
        const found = outcomes(await listOf(served));
        return found["modern"]?.["state"] === "filtered" &&
          found["legacy"]?.["state"] === "filtered";
      }, 20_000);
      const answer = await listOf(served);
      assert.deepEqual(namesIn(answer), ["s_echo", "s_add"]);
      for (const name of ["modern", "legacy"]) {
        const { code, message } = outcomes(answer)[name]?.["error"] as Message;
        assert.equal(code, "gateway-loop");
        assert.match(String(message), /^It leads back to a gateway that this session/);
      }
    } finally {
      await proxy.close();
    }
  },
);

/** Runs a test in one more home, with the same care as the first. */
async function inOtherHome(test: (home: TempHome) => Promise<void>): Promise<void> {
  const home = await makeTempHome();
  try {
    await test(home);
    assert.deepEqual(await leftoversOfHome(home.home), []);
  } finally {
    endProcesses(await leftoversOfHome(home.home, 0));
    await home.remove();
  }
}

for (const protocol of ["auto", "legacy"]) {
  e2e(
    `two gateways that are servers of each other give each other only their own (${protocol})`,
    async (world) => {
      await inOtherHome(async (home) => {
        const write = (at: TempHome, servers: Message): Promise<string> =>
          at.write("home/.omp/mcp.json", { mcpServers: servers });
        await using one = await Served.start(world);
        await using two = await Served.start(home);
        await write(world, { a: trap("good"), two: entryOf(two, two.url, { protocol }) });
        await write(home, { b: trap("good"), one: entryOf(one, one.url, { protocol }) });
        const ofOne = ["a_echo", "a_add", "two_b_echo", "two_b_add"].sort();
        const ofTwo = ["b_echo", "b_add", "one_a_echo", "one_a_add"].sort();
        const stand = async (): Promise<boolean> => {
          const [first, second] = [await listOf(one), await listOf(two)];
          for (const answer of [first, second]) {
            const deepest = namesIn(answer).filter((name) => /^(?:one_two|two_one)_/.test(name));
            assert.deepEqual(deepest, [], "a tool went round");
          }
          return `${namesIn(first).toSorted()} ${namesIn(second).toSorted()}` ===
            `${ofOne} ${ofTwo}`;
        };
        await until(stand, 30_000);
        // A change of one reaches the other once, and comes to rest there.
        await write(world, {
          a: trap("good"),
          c: trap("good", "again"),
          two: entryOf(two, two.url, { protocol }),
        });
        ofOne.push("c_echo", "c_add");
        ofTwo.push("one_c_echo", "one_c_add");
        ofOne.sort();
        ofTwo.sort();
        await until(stand, 30_000);
        const text = JSON.stringify([await listOf(one), await listOf(two)]);
        for (let look = 0; look < 20; look++) {
          assert.equal(
            JSON.stringify([await listOf(one), await listOf(two)]).replace(/"id":\d+/g, ""),
            text.replace(/"id":\d+/g, ""),
          );
        }
        const called = await json(
          await two.modern("tools/call", { name: "one_c_echo", arguments: { text: "far" } }),
        );
        assert.match(JSON.stringify(called), /far/);
      });
    },
  );
}

e2e("three gateways in a ring give each other everything once", async (world) => {
  await inOtherHome(async (second) => {
    await inOtherHome(async (third) => {
      await using one = await Served.start(world);
      await using two = await Served.start(second);
      await using three = await Served.start(third);
      const write = async (at: TempHome, own: string, next: string, to: Served): Promise<void> => {
        const mcpServers = { [own]: trap("good"), [next]: entryOf(to, to.url) };
        await at.write("home/.omp/mcp.json", { mcpServers });
      };
      await write(world, "a", "two", two);
      await write(second, "b", "three", three);
      await write(third, "c", "one", one);
      const expected = [
        ["a_echo", "two_b_echo", "two_three_c_echo"],
        ["b_echo", "three_c_echo", "three_one_a_echo"],
        ["c_echo", "one_a_echo", "one_two_b_echo"],
      ];
      const echoes = async (): Promise<string> => {
        const answers = [await listOf(one), await listOf(two), await listOf(three)];
        return JSON.stringify(
          answers.map((answer) => namesIn(answer).filter((name) => name.endsWith("_echo"))),
        );
      };
      await until(async () => await echoes() === JSON.stringify(expected), 40_000);
      for (let look = 0; look < 20; look++) assert.equal(await echoes(), JSON.stringify(expected));
    });
  });
});

e2e(
  "prompts and resources of gateways that are servers of each other come once, too",
  async (world) => {
    await inOtherHome(async (home) => {
      await using one = await Served.start(world);
      await using two = await Served.start(home);
      await world.write("home/.omp/mcp.json", {
        mcpServers: { a: npmServer("everything"), two: entryOf(two, two.url) },
      });
      await home.write("home/.omp/mcp.json", {
        mcpServers: { b: trap("good"), one: entryOf(one, one.url) },
      });
      const lists = async (served: Served): Promise<readonly (readonly string[])[]> => {
        const found = async (method: string, field: string): Promise<readonly string[]> => {
          const { result } = await json(await served.modern(method));
          const items = (result as Message)[field] as readonly Message[];
          return items.map(({ name, uri, uriTemplate }) => String(uri ?? uriTemplate ?? name));
        };
        return [
          await found("prompts/list", "prompts"),
          await found("resources/list", "resources"),
          await found("resources/templates/list", "resourceTemplates"),
        ];
      };
      await until(async () => {
        const [ofOne, ofTwo] = [await lists(one), await lists(two)];
        return ofOne.every((items, index) =>
          items.length > 0 && items.length === ofTwo[index]?.length
        );
      }, 40_000);
      const text = JSON.stringify([await lists(one), await lists(two)]);
      assert.doesNotMatch(text, /one_two_|two_one_|mcp\+/);
      for (let look = 0; look < 20; look++) {
        assert.equal(JSON.stringify([await lists(one), await lists(two)]), text);
      }
    });
  },
);
