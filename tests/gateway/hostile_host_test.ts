import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { type Message, RawHost } from "./raw_host.ts";

/** Code of an answer's error. */
function codeOf(message: Message): unknown {
  return (message["error"] as Message | undefined)?.["code"];
}

e2e("nothing that a host writes ends the gateway, and each mistake is answered", async (world) => {
  await world.userServers({ s: trap("good") });
  await using host = new RawHost(world);
  await host.line("{broken");
  await host.line("[]");
  await host.line('{"jsonrpc":"2.0","id":"odd"}');
  await host.line('{"jsonrpc":"2.0","id":{},"method":"ping"}');
  await host.line(
    `{"jsonrpc":"2.0","id":"big","method":"ping","x":"${"y".repeat(66 * 1024 * 1024)}"}`,
  );
  await host.initialize();
  const refusals = host.messages.filter((message) => message["error"] !== undefined);
  assert.deepEqual(refusals.map(codeOf), [-32700, -32600, -32600, -32600, -32700]);
  assert.deepEqual(codeOf(await host.ask("no/such")), -32601);
  assert.deepEqual(codeOf(await host.ask("tools/call", {})), -32602);
  assert.deepEqual(codeOf(await host.ask("tools/call", { name: "s_echo", arguments: [] })), -32602);
  assert.deepEqual(codeOf(await host.ask("tools/call", { name: "nobody_knows" })), -32602);
  assert.deepEqual((await host.ask("ping"))["result"], {});
  assert.deepEqual((await host.ask("logging/setLevel", { level: "debug" }))["result"], {});
  await host.listing("s_echo");
  const { content } = await host.call("s_echo", { text: "alive" });
  assert.deepEqual(content, [{ type: "text", text: "alive" }]);
  assert.deepEqual(host.noise, []);
});

e2e("requests in one array are answered one by one", async (world) => {
  await world.userServers({ s: trap("good") });
  await using host = new RawHost(world);
  await host.initialize({ protocolVersion: "2025-03-26" });
  await host.line(
    '[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]',
  );
  assert.deepEqual((await host.answer("a"))["result"], {});
  assert.deepEqual((await host.answer("b"))["result"], {});
});

e2e(
  "every revision of the legacy era is spoken, and others are answered with the newest [C22]",
  async (world) => {
    await using host = new RawHost(world);
    for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
      const { protocolVersion } = await host.initialize({ protocolVersion: version });
      assert.equal(protocolVersion, version);
    }
    for (const version of ["1999-01-01", "2026-07-28", 5]) {
      const { protocolVersion } = await host.initialize({ protocolVersion: version });
      assert.equal(protocolVersion, "2025-11-25");
    }
  },
);

e2e(
  "no answer waits behind another, and what is cancelled is not answered [C25]",
  async (world) => {
    await world.userServers({
      slow: trap("late", "60000"),
      hung: trap("hang-call"),
      s: trap("good"),
    });
    await using host = new RawHost(world);
    await host.initialize();
    await host.listing("slow_go");
    await host.listing("hung_go");
    await host.listing("s_echo");
    await host.start("tools/call", { name: "slow_go" });
    const hung = await host.start("tools/call", { name: "hung_go" });
    const { content } = await host.call("s_echo", { text: "first" });
    assert.deepEqual(content, [{ type: "text", text: "first" }]);
    await host.notify("notifications/cancelled", { requestId: hung, reason: "changed my mind" });
    // An answered id, and one that never was: hosts do that.
    await host.notify("notifications/cancelled", { requestId: 1 });
    await host.notify("notifications/cancelled", { requestId: "none" });
    const seen = await host.call("hung_was-cancelled");
    assert.match(JSON.stringify(seen), /Request aborted/);
    assert.ok(!host.messages.some((message) => message["id"] === hung));
  },
);

e2e(
  "a backend's progress comes as it is under the host's own token, before the answer [C16]",
  async (world) => {
    await world.userServers({ s: trap("progress", "3", "20") });
    await using host = new RawHost(world);
    await host.initialize();
    await host.listing("s_go");
    for (const progressToken of ["word", 0]) {
      const from = host.messages.length;
      await host.ask("tools/call", { name: "s_go", _meta: { progressToken } });
      const told = host.messages.slice(from)
        .filter(({ method }) => method === undefined || method === "notifications/progress")
        .map(({ method, params }) => method === undefined ? "answer" : params);
      const reports = [1, 2, 3].map((step) => ({
        progressToken,
        progress: step,
        total: 3,
        message: `step ${step}`,
        at: { step },
      }));
      assert.deepEqual(told, [...reports, "answer"]);
    }
  },
);
