import assert from "node:assert/strict";
import { join } from "node:path";
import type { ReloadDocument } from "../../src/cli/session_documents.ts";
import type { CliRun } from "../harness/run_cli.ts";
import { e2e, ON_LINUX, succeeded, type World } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { type SessionHost, startSessionHost } from "../harness/session_host.ts";
import { until } from "../harness/until.ts";

/** Names of the files that live sessions left: records and sockets. */
async function traces({ state, env }: World): Promise<readonly string[]> {
  const names: string[] = [];
  for (const folder of [join(state, "sessions"), join(env["XDG_RUNTIME_DIR"] ?? "", "hotplug")]) {
    for await (const { name } of Deno.readDir(folder)) names.push(name);
  }
  return names;
}

/** The tools of the trap `named` under the name of a server. */
function namedTools(server: string): readonly string[] {
  return ["echo", "add", "look", "act"].map((tool) => `mcp_${server}_${tool}`);
}

/** A test with hosts, which all end after it and leave no trace. */
function withHosts(
  name: string,
  test: (
    world: World & { host(folder?: string, count?: number): Promise<SessionHost> },
  ) => Promise<void>,
): void {
  e2e(name, async (world) => {
    const hosts: SessionHost[] = [];
    try {
      await test({
        ...world,
        async host(folder, count): Promise<SessionHost> {
          const host = await startSessionHost(world, folder, count);
          hosts.push(host);
          return host;
        },
      });
    } finally {
      for (const host of hosts) host.send("SIGCONT");
      await Promise.all(hosts.map((host) => host.end()));
    }
    // A killed one is cleaned up after by the next reader.
    await world.mcp(["pause", "nobody"]);
    assert.deepEqual(await traces(world), []);
  }, ON_LINUX);
}

/** A second workspace. */
async function otherProject({ root }: World): Promise<string> {
  const other = join(root, "other");
  await Deno.mkdir(join(other, ".git"), { recursive: true });
  return other;
}

const reloaded = (run: CliRun): ReloadDocument => succeeded(run).json<ReloadDocument>();

withHosts("reload reaches all sessions of a workspace and none of another [G18]", async (world) => {
  const other = await otherProject(world);
  await world.userServers({ first: trap("good") });
  const [one, two, far] = await Promise.all([world.host(), world.host(), world.host(other)]);
  assert.deepEqual(one.names(), ["mcp_first_echo", "mcp_first_add"]);
  await world.userServers({ second: trap("named", "x") });
  const document = reloaded(await world.mcp(["reload", "--json"]));
  assert.deepEqual(
    document.sessions.map(({ session }) => session.id).sort(),
    [...one.ids, ...two.ids].sort(),
  );
  for (const { report, session } of document.sessions) {
    assert.equal(session.workspacePath, world.project);
    assert.deepEqual(report?.added, namedTools("second"));
    assert.deepEqual(report?.removed, ["mcp_first_echo", "mcp_first_add"]);
    assert.equal(report?.host, "refreshed");
    assert.deepEqual(
      report?.servers.map(({ name, action, state }) => `${name} ${action} ${state}`).sort(),
      ["first stopped disconnected", "second started connected"],
    );
  }
  // What the command says is what the hosts have by then.
  for (const host of [one, two]) {
    assert.deepEqual(host.names(), namedTools("second"));
  }
  assert.deepEqual(far.names(), ["mcp_first_echo", "mcp_first_add"]);
  const all = reloaded(await world.mcp(["reload", "--all", "--json"]));
  assert.equal(all.sessions.length, 3);
  assert.deepEqual(far.names(), namedTools("second"));
});

withHosts("each workspace keeps its own servers, whoever reloads [G18]", async (world) => {
  const other = await otherProject(world);
  const trust = { HOTPLUG_TRUST: "all" };
  const [here, there] = await Promise.all([
    startSessionHost({ ...world, env: { ...world.env, ...trust } }),
    startSessionHost({ ...world, env: { ...world.env, ...trust } }, other),
  ]);
  try {
    await world.projectServers({ mine: trap("good") });
    const theirs = { mcpServers: { theirs: trap("named", "x") } };
    await world.write(join(other, ".mcp.json"), theirs);
    // From a third folder, for all: each session reads the files of its own workspace.
    const document = reloaded(await world.mcp(["reload", "--all", "--json"], { cwd: world.root }));
    assert.equal(document.sessions.length, 2);
    assert.deepEqual(here.names(), ["mcp_mine_echo", "mcp_mine_add"]);
    assert.deepEqual(there.names(), namedTools("theirs"));
  } finally {
    await Promise.all([here.end(), there.end()]);
  }
});

withHosts("a hung session is named in time, and the other one is refreshed", async (world) => {
  const [hung, fine] = await Promise.all([world.host(), world.host()]);
  await world.userServers({ late: trap("good") });
  hung.send("SIGSTOP");
  const run = await world.mcp(["reload", "--wait", "3s", "--json"]);
  const { sessions } = reloaded(run);
  assert.ok(run.elapsedMs < 6_000, `${run.elapsedMs} ms`);
  const errors = new Map(sessions.map(({ session, error }) => [session.id, error]));
  assert.equal(errors.get(fine.ids[0] ?? ""), null);
  assert.equal(errors.get(hung.ids[0] ?? "")?.code, "session-silent");
  assert.match(errors.get(hung.ids[0] ?? "")?.hint ?? "", new RegExp(`process ${hung.pid} `));
  assert.deepEqual(fine.names(), ["mcp_late_echo", "mcp_late_add"]);
  const text = await world.mcp(["reload", "--wait", "1s", "--strict"]);
  assert.equal(text.code, 1);
  assert.match(text.stdout, /tools: 2, as before/);
  assert.match(text.stdout, new RegExp(`Cannot reload session "${hung.ids[0]}": no answer within`));
  const status = succeeded(await world.mcp(["status", "--plain"])).stdout;
  assert.match(
    status,
    new RegExp(`^session=${hung.ids[0]} .* tools=- .* error=Cannot look at`, "m"),
  );
  assert.match(status, new RegExp(`^session=${fine.ids[0]} .* tools=2 paused=-$`, "m"));
  // It does what it was asked for once it is back.
  hung.send("SIGCONT");
  await until(() => hung.names().length === 2);
});

withHosts("a killed session's record and socket are gone with the next look", async (world) => {
  const [killed, other] = await Promise.all([world.host(), world.host()]);
  assert.equal((await traces(world)).length, 4);
  killed.send("SIGKILL");
  await killed.ended;
  assert.equal((await traces(world)).length, 4);
  const { sessions } = reloaded(await world.mcp(["reload", "--json"]));
  assert.deepEqual(sessions.map(({ session }) => session.id), other.ids);
  const [id = ""] = other.ids;
  assert.deepEqual([...await traces(world)].sort(), [`${id}.json`, `${id}.sock`]);
  // One that ends by itself leaves nothing behind, though it closes nothing.
  other.send("SIGHUP");
  await other.ended;
  assert.deepEqual(await traces(world), []);
});

withHosts("ten sessions that start and ten reloads at once are all well [G14]", async (world) => {
  await world.userServers({ it: trap("good") });
  const starting = Array.from({ length: 10 }, () => world.host());
  const first = Array.from({ length: 10 }, () => world.mcp(["reload", "--json"]));
  const hosts = await Promise.all(starting);
  for (const run of await Promise.all(first)) succeeded(run);
  await world.userServers({ new: trap("named", "x") });
  const second = await Promise.all(
    Array.from({ length: 10 }, () => world.mcp(["reload", "--json"])),
  );
  for (const run of second) {
    const { sessions } = reloaded(run);
    assert.equal(sessions.length, 10);
    assert.deepEqual(sessions.flatMap(({ error }) => error ?? []), []);
  }
  for (const host of hosts) {
    assert.deepEqual(host.names(), namedTools("new"));
    // Ten reloads of one change are one refresh.
    assert.equal(host.events.filter(({ event }) => event === "refresh").length, 1);
  }
});

e2e("without a session reload starts the servers itself and remembers anew", async (world) => {
  await world.userServers({ it: trap("good"), broken: trap("dead") });
  const first = reloaded(await world.mcp(["reload", "--json"]));
  assert.deepEqual(first.sessions, []);
  assert.equal(first.direct?.before, 0);
  assert.deepEqual(first.direct?.added, ["mcp_it_echo", "mcp_it_add"]);
  assert.deepEqual(
    first.direct?.servers.map(({ name, state, tools }) => [name, state, tools]),
    [["it", "connected", 2], ["broken", "error", null]],
  );
  assert.deepEqual(first.direct?.errors.map(({ path }) => path), ["mcp:broken"]);
  // What was learned is what the other commands answer from.
  const known = (await world.mcp(["tools", "it", "--json"])).json<{
    readonly servers: readonly { readonly cachedAgeMs: number | null }[];
  }>();
  assert.notEqual(known.servers[0]?.cachedAgeMs, null);
  const again = await world.mcp(["reload"]);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /^No session is live here/);
  assert.match(again.stdout, /\n {2}tools: 2, as before\n {2}SERVER +ACTION +STATE +TOOLS\n/);
  assert.match(again.stdout, /\n {2}broken +started +error +-\n.*exit/);
  assert.equal((await world.mcp(["reload", "--strict"])).code, 1);
  assert.equal((await world.mcp(["reload", "it", "--strict"])).code, 0);
  const strange = await world.mcp(["reload", "itt"]);
  assert.equal(strange.code, 2);
  assert.match(strange.stderr, /Did you mean "it"\?/);
});

e2e(
  "without a session reload refuses a server that may not run, with the remedy",
  async (world) => {
    await world.projectServers({ theirs: trap("good") });
    const run = await world.mcp(["reload", "theirs"]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /it is not approved/);
    assert.match(run.stderr, /hint: .*mcp trust theirs/);
  },
);
