import assert from "node:assert/strict";
import { e2e, row, succeeded, toolNames } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

e2e("tools lists the tools of every server under names that a model takes", async (world) => {
  await world.userServers({ one: trap("good"), "Two & more": trap("odd-names") });
  const { tools } = await world.tools();
  assert.deepEqual(
    tools.filter(({ server }) => server === "one").map(({ publicName }) => publicName),
    ["mcp_one_echo", "mcp_one_add"],
  );
  for (const { publicName } of tools) assert.match(publicName, NAME);
  assert.equal(new Set(tools.map(({ publicName }) => publicName)).size, tools.length);
});

e2e(
  "tools named as no model allows are still called by their own names [D01] [D02]",
  async (world) => {
    await world.userServers({ odd: trap("odd-names") });
    const names = toolNames(await world.tools(), "odd");
    assert.equal(names.length, 8);
    for (const name of ["admin.tools/list", "получить_данные", "__proto__", "a".repeat(120)]) {
      assert.ok(names.includes(name), name);
      assert.equal(await world.callText("odd", name), `called ${name}`);
    }
  },
);

e2e("two servers with one tool name keep both [D04]", async (world) => {
  await world.userServers({ a: trap("good", "a"), b: trap("good", "b") });
  const names = (await world.tools()).tools.map(({ publicName }) => publicName);
  assert.deepEqual(names, ["mcp_a_echo", "mcp_a_add", "mcp_b_echo", "mcp_b_add"]);
});

e2e("a name listed twice is offered once, with a warning when they differ [D05]", async (world) => {
  await world.userServers({ it: trap("dup-tools") });
  const document = await world.tools();
  assert.deepEqual(toolNames(document, "it"), ["echo", "add", "last"]);
  assert.match(document.servers[0]?.warnings.join() ?? "", /add/);
  assert.equal(await world.callText("it", "add", "a=1", "b=1"), "2");
});

e2e("a broken tool is left out or repaired alone [C11] [D07] [D18]", async (world) => {
  await world.userServers({ it: trap("bad-tool") });
  const document = await world.tools();
  assert.deepEqual(toolNames(document, "it"), [
    "echo",
    "add",
    "no-schema",
    "empty-schema",
    "null-description",
    "odd-keywords",
  ]);
  assert.ok((document.servers[0]?.warnings.length ?? 0) > 0, "nothing was said");
  assert.equal(row(await world.status(), "it").state, "connected");
  assert.equal(await world.callText("it", "no-schema"), "called");
});

e2e("output schemas that cannot be compiled lose no tool [C10] [C11] [D09]", async (world) => {
  await world.userServers({ it: trap("dangling-schema") });
  const document = await world.tools();
  assert.deepEqual(toolNames(document, "it"), ["echo", "add", "dangling", "untyped", "recursive"]);
  assert.equal(await world.callText("it", "dangling"), "fine");
  succeeded(await world.mcp(["tools"]));
});

e2e("--json keeps a long description whole, the table cuts it [D18]", async (world) => {
  await world.userServers({ it: trap("hidden-text") });
  const long = (await world.tools()).tools.find(({ name }) => name === "long");
  assert.equal(long?.description.length, 200_000);
  assert.ok(succeeded(await world.mcp(["tools"])).stdout.length < 20_000);
});

e2e("filters of a definition decide which tools are offered [D13]", async (world) => {
  await world.userServers({ it: { ...trap("good"), disabledTools: ["ec*"] } });
  assert.deepEqual(toolNames(await world.tools(), "it"), ["add"]);
  assert.equal((await world.mcp(["call", "it", "echo", "text=x"])).code, 2);
});

e2e("a failed server stands in the list of tools with its cause", async (world) => {
  await world.userServers({ fine: trap("good"), dead: trap("dead") });
  const { tools, servers } = await world.tools();
  assert.equal(tools.length, 2);
  const dead = servers.find(({ name }) => name === "dead");
  assert.equal(dead?.state, "error");
  assert.match(dead?.error?.stderr ?? "", /DEAD_KEY/);
});

e2e("the order of tools is that of the plan, whoever answers first [D14]", async (world) => {
  await world.userServers({ late: trap("slow", "600"), soon: trap("good") });
  const servers = (await world.tools()).tools.map(({ server }) => server);
  assert.deepEqual(servers, ["late", "late", "soon", "soon"]);
});
