import assert from "node:assert/strict";
import { e2e, row, states } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";

e2e("a dead, a hung and a slow server do not hold the good ones [I01] [I07]", async (world) => {
  await world.userServers({
    dead: trap("dead"),
    hung: trap("hang"),
    slow: trap("slow", "2000"),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`good${n}`, trap("good", `good${n}`)])),
  });
  const run = await world.mcp(["status", "--json", "--wait", "4s"]);
  const document = run.json<Awaited<ReturnType<typeof world.status>>>();
  assert.deepEqual(states(document), {
    dead: "error",
    hung: "connecting",
    slow: "connected",
    good1: "connected",
    good2: "connected",
    good3: "connected",
    good4: "connected",
    good5: "connected",
  });
  for (const n of [1, 2, 3, 4, 5]) {
    assert.ok((row(document, `good${n}`).elapsedMs ?? Infinity) < 1_900, "a good one was held");
  }
  assert.ok(run.elapsedMs < 4_000 + 2_500 + 1_500, `took ${run.elapsedMs} ms`);
});

e2e("a server with a time limit of its own fails by it", async (world) => {
  await world.userServers({ hung: { ...trap("hang"), startupTimeout: 600 } });
  const hung = row(await world.status(), "hung");
  assert.deepEqual([hung.state, hung.error?.code], ["error", "start-timeout"]);
});

e2e("a server that needs a second is waited for, its limit not cut short [I02]", async (world) => {
  await world.userServers({ slow: { ...trap("slow", "1000"), timeout: 5_000 } });
  assert.equal(row(await world.status(), "slow").state, "connected");
});

e2e("an exit without a word is no connection closed [I03]", async (world) => {
  await world.userServers({ gone: trap("gone") });
  const { error } = row(await world.status(), "gone");
  assert.equal(error?.code, "server-exited");
  assert.equal(error?.processExitCode, 0);
});

e2e("a server that never lists is not connected", async (world) => {
  await world.userServers({ mute: { ...trap("hang-list"), startupTimeout: 1_000 } });
  const mute = row(await world.status("--wait", "4s"), "mute");
  assert.notEqual(mute.state, "connected");
});

e2e("a server whose list fails says the server's own words", async (world) => {
  await world.userServers({ offline: trap("list-error") });
  const offline = row(await world.status(), "offline");
  assert.equal(offline.state, "error");
  assert.match(offline.error?.message ?? "", /fetch failed/);
});

e2e("a server without tools is connected and said to offer none [I08]", async (world) => {
  await world.userServers({ none: trap("no-tools"), zero: trap("zero-tools") });
  const document = await world.status();
  for (const name of ["none", "zero"]) {
    assert.equal(row(document, name).state, "connected");
    assert.equal(row(document, name).tools, 0);
    assert.match(row(document, name).warnings.join(), /no tool/);
  }
});

e2e("lists that a server declares and does not know count as empty [C18]", async (world) => {
  await world.userServers({ it: trap("optional-lists") });
  assert.equal(row(await world.status(), "it").state, "connected");
  const run = await world.mcp(["resources", "--json"]);
  assert.equal(run.code, 0, run.stdout + run.stderr);
});

e2e("log messages before the handshake's answer do no harm", async (world) => {
  await world.userServers({ early: trap("early-log") });
  assert.equal(row(await world.status(), "early").state, "connected");
});

e2e("a question for roots under the id 0 is answered", async (world) => {
  await world.userServers({ asker: trap("roots-asker") });
  const roots = await world.callText("asker", "roots");
  assert.doesNotMatch(roots, /no answer/);
});

e2e(
  "eleven servers that start slowly at the same time all come, each in its own time [B11]",
  async (world) => {
    const names = Array.from({ length: 11 }, (_, index) => `slow${index}`);
    await world.userServers(
      Object.fromEntries(names.map((name) => [name, trap("slow", "1500", name)])),
    );
    const run = await world.mcp(["status", "--json", "--wait", "30s"]);
    const document = run.json<Awaited<ReturnType<typeof world.status>>>();
    assert.deepEqual(names.filter((name) => row(document, name).state !== "connected"), []);
    assert.ok(run.elapsedMs < 11 * 1_500, `they waited for each other, ${run.elapsedMs} ms`);
  },
);

e2e("100 MB of stderr are drained, not shown and not kept [B08] [B09]", async (world) => {
  await world.userServers({ flood: trap("stderr-flood") });
  const run = await world.mcp(["status", "--json", "--wait", "60s"], { timeoutMs: 90_000 });
  const document = run.json<Awaited<ReturnType<typeof world.status>>>();
  assert.equal(row(document, "flood").state, "connected");
  assert.ok(run.stderr.length < 10_000, "stderr of the server was passed on");
});

e2e("a line of stderr that never ends is cut [B08]", async (world) => {
  await world.userServers({ line: trap("stderr-line") });
  assert.equal(row(await world.status("--wait", "20s"), "line").state, "connected");
});

for (const behaviour of ["endless-cursor", "same-cursor"]) {
  e2e(`${behaviour}: paging ends and what was read is kept with a warning [C14]`, async (world) => {
    await world.userServers({ it: trap(behaviour) });
    const it = row(await world.status("--wait", "10s"), "it");
    assert.deepEqual([it.state, it.tools], ["connected", 2]);
    assert.match(it.warnings.join(), /cursor|page/i);
  });
}

e2e("a cursor that stays the same while pages go on is followed [C14]", async (world) => {
  await world.userServers({ it: trap("stuck-cursor") });
  assert.equal(row(await world.status(), "it").tools, 6);
});

e2e("5,000 tools over 50 pages are all read [C14]", async (world) => {
  await world.userServers({ it: trap("pages") });
  const it = row(await world.status("--wait", "20s"), "it");
  assert.deepEqual([it.state, it.tools, it.warnings.length], ["connected", 5_000, 1]);
});

e2e("a page that fails fails the list", async (world) => {
  await world.userServers({ it: trap("broken-page") });
  const it = row(await world.status(), "it");
  assert.equal(it.state, "error");
  assert.match(it.error?.message ?? "", /Cursor lost/);
});

e2e("characters split over reads arrive whole", async (world) => {
  await world.userServers({ it: trap("split-utf8") });
  assert.equal(await world.callText("it", "go"), "naïve 漢字 👩‍👩‍👧 ñ\u2028");
});

e2e("answers that come twice count once", async (world) => {
  await world.userServers({ it: trap("twice") });
  const it = row(await world.status(), "it");
  assert.deepEqual([it.state, it.tools], ["connected", 2]);
  assert.equal(await world.callText("it", "add", "a=4", "b=4"), "8");
});

e2e("a server that goes right after the handshake is not connected", async (world) => {
  await world.userServers({ it: trap("exit-after-start") });
  const it = row(await world.status(), "it");
  assert.equal(it.state, "error");
  assert.match(it.error?.code ?? "", /server-exited|connection-closed/);
});
