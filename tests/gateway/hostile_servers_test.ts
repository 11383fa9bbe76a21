import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { type Message, RawHost } from "./raw_host.ts";

/** What a terminal would obey, or a reader would not see. */
const HIDDEN = /[^\P{Cc}\t\n]|[\u200b\u202a-\u202e\u{E0000}-\u{E007F}]/u;

/** The tools that are listed once one of this name is. */
async function listed(host: RawHost, name: string): Promise<readonly Message[]> {
  await host.listing(name);
  const { result } = await host.ask("tools/list");
  return (result as Message)["tools"] as readonly Message[];
}

e2e(
  "what no reader would see reaches neither a model by a description nor a terminal [H04] [D18]",
  async (world) => {
    await world.userServers({
      odd: trap("hidden-text"),
      dead: {
        command: "sh",
        // It reads its first message, so that what ends it is always the same.
        args: ["-c", "read line; printf '\\033]0;owned\\007\\342\\200\\256gone' >&2; exit 3"],
      },
    });
    await using host = new RawHost(world);
    await host.initialize();
    const tools = await listed(host, "odd_tagged");
    const described = new Map(tools.map(({ name, description }) => [name, String(description)]));
    assert.equal(described.get("odd_tagged"), "Plain text");
    assert.doesNotMatch([...described.values()].join("\n"), HIDDEN);
    await until(() => /MCP unavailable.*"server":"dead".*gone/.test(host.stderr), 20_000);
    assert.doesNotMatch(host.stderr, HIDDEN);
  },
);

e2e(
  "tools of one name keep apart, and those of names that no model takes are called by their own [D02] [D04] [D05]",
  async (world) => {
    await world.userServers({
      a: trap("good", "a"),
      b: trap("good", "b"),
      odd: trap("odd-names"),
      twice: trap("dup-tools"),
    });
    await using host = new RawHost(world);
    await host.initialize();
    await listed(host, "odd_constructor");
    await listed(host, "b_echo");
    await host.listing("a_echo");
    await host.listing("twice_echo");
    const names = await host.tools();
    assert.equal(new Set(names).size, names.length, names.join());
    for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,48}$/);
    const odd = names.filter((name) => name.startsWith("odd_") && !/_(echo|add)$/.test(name));
    const called = await Promise.all(odd.map(async (name) => {
      const { content } = await host.call(name);
      return (content as readonly { readonly text: string }[])[0]?.text.replace("called ", "");
    }));
    assert.equal(new Set(called).size, odd.length, called.join());
    assert.ok(called.some((name) => !/^[A-Za-z0-9_-]{1,48}$/.test(name ?? "")), called.join());
  },
);

e2e(
  "broken tools and schemas cost no other tool, and all pages are there [C10] [C12] [C14] [C18] [D07] [D09]",
  async (world) => {
    await world.userServers({
      bad: trap("bad-tool"),
      dangling: trap("dangling-schema"),
      stuck: trap("stuck-cursor"),
      some: trap("optional-lists"),
    });
    await using host = new RawHost(world);
    await host.initialize();
    for (const name of ["bad_echo", "dangling_echo", "some_echo"]) await host.listing(name);
    const tools = await listed(host, "bad_echo");
    for (const tool of tools) {
      assert.equal((tool["inputSchema"] as Message)["type"], "object", JSON.stringify(tool));
    }
    const names = tools.map(({ name }) => String(name));
    assert.ok(names.filter((name) => name.startsWith("stuck_")).length >= 6, names.join());
    assert.deepEqual((await host.call("dangling_echo", { text: "hi" }))["content"], [
      { type: "text", text: "hi" },
    ]);
    for (const list of ["prompts", "resources"]) {
      assert.deepEqual(((await host.ask(`${list}/list`))["result"] as Message)[list], []);
    }
  },
);

e2e(
  "odd results pass as the server gave them, whatever its schema says [E01] [E02] [E04] [E05] [E06] [E08] [E10]",
  async (world) => {
    const server = trap("results");
    await world.userServers({ s: server });
    await using through = new RawHost(world);
    await using direct = new RawHost(world, { direct: server });
    await through.initialize();
    await direct.initialize();
    await through.listing("s_is-error");
    for (const name of await direct.tools()) {
      const args = name === "add" ? { a: 1, b: 2 } : { text: "hi" };
      assert.deepEqual(await through.call(`s_${name}`, args), await direct.call(name, args), name);
    }
    const { isError } = await through.call("s_is-error");
    assert.equal(isError, true);
  },
);
