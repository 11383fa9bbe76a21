import assert from "node:assert/strict";
import { e2e, row, toolNames } from "../harness/e2e.ts";
import { startSdkServer } from "../harness/http_servers.ts";
import { sdkServer, trap } from "../harness/servers.ts";

/** Era that each kind of server ends up with over stdio, which starts legacy, and over HTTP. */
const ERAS = [
  ["modern", "modern", "modern"],
  ["dual", "legacy", "modern"],
  ["legacy", "legacy", "legacy"],
] as const;

for (const [kind, stdio, http] of ERAS) {
  e2e(`a ${kind} server over stdio is connected as ${stdio} and called`, async (world) => {
    await world.userServers({ it: sdkServer(kind) });
    const it = row(await world.status("--wait", "20s"), "it");
    assert.deepEqual([it.state, it.error, it.tools], ["connected", null, 2]);
    assert.equal(it.protocol?.era, stdio);
    assert.equal(it.server?.name, kind);
    assert.match(await world.callText("it", "whoami"), new RegExp(`^${kind} server`));
    assert.equal(await world.callText("it", "echo", "text=hi"), "hi");
  });

  e2e(`a ${kind} server over HTTP is connected as ${http} and called`, async (world) => {
    const server = await startSdkServer(world, kind);
    try {
      await world.userServers({ it: { type: "http", url: server.url } });
      const it = row(await world.status("--wait", "20s"), "it");
      assert.deepEqual([it.state, it.error, it.tools], ["connected", null, 2]);
      assert.equal(it.protocol?.era, http);
      assert.equal(await world.callText("it", "echo", "text=hi"), "hi");
    } finally {
      await server.close();
    }
  });
}

e2e("a remembered era is used again and still right", async (world) => {
  await world.userServers({ it: sdkServer("modern") });
  for (let round = 0; round < 2; round++) {
    const it = row(await world.status("--wait", "20s"), "it");
    assert.deepEqual([it.state, it.protocol?.version], ["connected", "2026-07-28"]);
  }
});

e2e("a configured protocol is kept to", async (world) => {
  await world.userServers({ it: { ...sdkServer("modern"), protocol: "legacy" } });
  const it = row(await world.status("--wait", "20s"), "it");
  assert.equal(it.state, "error");
  assert.match(it.error?.message ?? "", /2026-07-28|protocol/i);
});

e2e("a hand-written server that knows server/discover alone is connected", async (world) => {
  await world.userServers({ it: trap("discover-only") });
  const it = row(await world.status(), "it");
  assert.deepEqual([it.state, it.protocol?.era, it.tools], ["connected", "modern", 2]);
  assert.equal(await world.callText("it", "add", "a=1", "b=2"), "3");
});

for (const behaviour of ["silent-discover", "dies-on-discover"]) {
  e2e(
    `an old server is not harmed by a question for the new era: ${behaviour} [C17]`,
    async (world) => {
      await world.userServers({ it: trap(behaviour) });
      const it = row(await world.status(), "it");
      assert.deepEqual([it.state, it.protocol?.era], ["connected", "legacy"]);
    },
  );
}

e2e("a server that refuses both openings fails with its own time limit", async (world) => {
  await world.userServers({ it: { ...trap("refuses-all"), startupTimeout: 700 } });
  const it = row(await world.status(), "it");
  assert.equal(it.state, "error");
  assert.ok(["start-timeout", "handshake-failed"].includes(it.error?.code ?? ""), it.error?.code);
});

e2e("an older revision in the answer is accepted [C22]", async (world) => {
  await world.userServers({ old: trap("version", "2024-11-05") });
  const old = row(await world.status(), "old");
  assert.deepEqual([old.state, old.protocol?.version], ["connected", "2024-11-05"]);
});

e2e("a revision that nobody knows is named, not hidden [C22]", async (world) => {
  await world.userServers({ future: trap("version", "2099-01-01") });
  const future = row(await world.status(), "future");
  const said = JSON.stringify([future.error, future.warnings]);
  assert.match(said, /2099-01-01/);
});

e2e("a server that wants an older revision gets it [C22]", async (world) => {
  await world.userServers({ picky: trap("version-refused", "2025-06-18") });
  const picky = row(await world.status(), "picky");
  assert.deepEqual([picky.state, picky.protocol?.version], ["connected", "2025-06-18"]);
});

e2e("both eras list the same tools under the same names", async (world) => {
  await world.userServers({ a: sdkServer("modern"), b: sdkServer("legacy") });
  const tools = await world.tools();
  assert.deepEqual(toolNames(tools, "a"), ["whoami", "echo"]);
  assert.deepEqual(toolNames(tools, "b"), ["whoami", "echo"]);
});
