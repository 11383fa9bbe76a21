import assert from "node:assert/strict";
import { mergedSession } from "../../../src/gateway/bridge/merged_session.ts";
import { emptySession, type GatewaySession } from "../../../src/gateway/gateway_session.ts";
import type { Tool } from "../../../src/model/tool.ts";
import { toolOf, view } from "../made.ts";

const NOTHING = { code: "discovery-failed", message: "Nothing", hint: null } as const;

/** A session with tools, whose requests say where they went. */
function part(name: string, tools: readonly Tool[], more: Partial<GatewaySession>): GatewaySession {
  return {
    ...emptySession(NOTHING),
    failure: null,
    toolSet: { generation: 1, tools },
    request: (server) => Promise.resolve({ part: name, server }),
    ...more,
  };
}

/** Both parts as one: "ours" is shared, "mine" is not. */
function merged(
  shared: readonly Tool[],
  own: readonly Tool[],
  naming: "server" | "bare",
): GatewaySession {
  return mergedSession(
    part("shared", shared, {
      ownServers: () => ["mine"],
      servers: () => [view("ours", { state: "connected" }), view("mine", { state: "filtered" })],
    }),
    part("own", own, {
      servers: () => [view("ours", { state: "filtered" }), view("mine", { state: "connected" })],
    }),
    naming,
  );
}

Deno.test("each server's row and requests are those of the part that has it", async () => {
  const session = merged(
    [toolOf("ours", { name: "a" })],
    [toolOf("mine", { name: "b" })],
    "server",
  );
  assert.deepEqual(session.servers().map(({ name, state }) => [name, state]), [
    ["ours", "connected"],
    ["mine", "connected"],
  ]);
  assert.deepEqual(session.toolSet.tools.map(({ name }) => name), ["ours_a", "mine_b"]);
  for (const [server, where] of [["ours", "shared"], ["mine", "own"]] as const) {
    const result = await session.request(server, "tools/call", {}, {});
    assert.deepEqual(result, { part: where, server });
  }
});

Deno.test("the tool set is the same until a part of it is another", () => {
  const session = merged([toolOf("ours", { name: "a" })], [], "server");
  const before = session.toolSet;
  assert.equal(session.toolSet, before);
  assert.equal(before.generation, 1);
});

Deno.test("a name that both parts have means neither: each tool gets the hash [D04]", () => {
  const shared = [toolOf("a", { name: "b_c" }), toolOf("a", { name: "d" })];
  const own = [toolOf("a_b", { name: "c" })];
  const names = merged(shared, own, "server").toolSet.tools.map((
    { name, server },
  ) => [server, name]);
  assert.match(names[0]?.[1] ?? "", /^a_b_c_[0-9a-f]{8}$/);
  assert.match(names[2]?.[1] ?? "", /^a_b_c_[0-9a-f]{8}$/);
  assert.notEqual(names[0]?.[1], names[2]?.[1]);
  assert.deepEqual(names[1], ["a", "a_d"]);
});

Deno.test("where tools go by their own names, what is shared keeps them", () => {
  const bare = (tool: Tool): Tool => ({ ...tool, name: tool.info.name });
  const shared = [bare(toolOf("ours", { name: "go" }))];
  const own = [bare(toolOf("mine", { name: "go" })), bare(toolOf("mine", { name: "stay" }))];
  const { tools } = merged(shared, own, "bare").toolSet;
  assert.deepEqual(tools.map(({ server, name }) => [server, name]), [
    ["ours", "go"],
    ["mine", "stay"],
  ]);
});
