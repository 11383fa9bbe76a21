import assert from "node:assert/strict";
import type { StatusDocument } from "../../src/cli/documents.ts";
import type { ReloadDocument, SteerDocument } from "../../src/cli/session_documents.ts";
import { e2e, ON_LINUX, succeeded, type World } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { type SessionHost, startSessionHost } from "../harness/session_host.ts";

const OF_A = ["mcp_a_echo", "mcp_a_add"];
const OF_B = ["mcp_b_echo", "mcp_b_add", "mcp_b_look", "mcp_b_act"];
const TOOLS = [...OF_A, ...OF_B];

/** A test with two hosts of one workspace, which has two servers. */
function withTwo(
  name: string,
  test: (world: World, one: SessionHost, two: SessionHost) => Promise<void>,
): void {
  e2e(name, async (world) => {
    await world.userServers({ a: trap("good"), b: trap("named", "x") });
    const hosts = await Promise.all([startSessionHost(world), startSessionHost(world)]);
    try {
      const [one, two] = hosts;
      assert.deepEqual([one.names(), two.names()], [TOOLS, TOOLS]);
      await test(world, one, two);
    } finally {
      await Promise.all(hosts.map((host) => host.end()));
    }
  }, ON_LINUX);
}

withTwo(
  "a pause of one session touches no other, and lasts over reloads",
  async (world, one, two) => {
    const [id = ""] = one.ids;
    const paused = succeeded(await world.mcp(["pause", "b", "--session", id, "--json"]))
      .json<SteerDocument>();
    assert.deepEqual(paused.sessions.map(({ session }) => session.id), [id]);
    assert.deepEqual(paused.sessions[0]?.report?.removed, OF_B);
    assert.deepEqual(one.names(), OF_A);
    const reload = succeeded(await world.mcp(["reload", "--restart", "--json"]))
      .json<ReloadDocument>();
    assert.equal(reload.sessions.length, 2);
    assert.deepEqual([one.names(), two.names()], [OF_A, TOOLS]);
    const status = succeeded(await world.mcp(["status", "--session", "--json"]))
      .json<StatusDocument>();
    const states = new Map(status.sessions.map(({ session, servers }) => [
      session.id,
      servers.map(({ name, state }) => `${name} ${state}`),
    ]));
    assert.deepEqual(states.get(id), ["a connected", "b paused"]);
    assert.deepEqual(states.get(two.ids[0] ?? ""), ["a connected", "b connected"]);
    succeeded(await world.mcp(["resume", "b"]));
    assert.deepEqual(one.names(), TOOLS);
  },
);

withTwo("status shows both sessions beside its own look", async (world, one, two) => {
  succeeded(await world.mcp(["pause", "a", "--session", one.ids[0] ?? ""]));
  const { stdout } = succeeded(await world.mcp(["status"]));
  assert.match(stdout, /^a +stdio +connected +enabled +yes +2 /m);
  assert.match(
    stdout,
    new RegExp(`^${one.ids[0]} +host0 +${one.pid} +\\S+ +4 +1 paused: a, 1 connected$`, "m"),
  );
  assert.match(stdout, new RegExp(`^${two.ids[0]} +host0 +${two.pid} +\\S+ +6 +2 connected$`, "m"));
});

withTwo("retry starts a server anew in every session", async (world, one) => {
  const pids = async (): Promise<readonly (number | null)[]> =>
    (await world.status("--session")).sessions.flatMap(({ servers }) =>
      servers.flatMap(({ name, pid }) => name === "a" ? [pid] : [])
    );
  const before = await pids();
  const retried = succeeded(await world.mcp(["retry", "a", "--json"])).json<SteerDocument>();
  assert.equal(retried.sessions.length, 2);
  const after = await pids();
  assert.equal(new Set([...before, ...after]).size, 4, "four processes in all");
  assert.deepEqual(one.names(), TOOLS);
  const strange = await world.mcp(["retry", "aa"]);
  assert.equal(strange.code, 2);
  assert.match(strange.stderr, /hint: /);
});
