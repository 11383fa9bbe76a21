import assert from "node:assert/strict";
import { e2e } from "../harness/e2e.ts";
import { offeringServer } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { EraHost } from "./era_host.ts";
import type { Message } from "./raw_host.ts";

const LOG = "notifications/message";

/** What was written, by whom. */
function lines(host: EraHost): readonly unknown[] {
  return host.heard(LOG).map(({ level, data, logger }) => [level, data, logger]);
}

e2e(
  "a legacy host gets what servers of both eras write, of the level that it has asked for",
  async (world) => {
    await world.userServers({ a: offeringServer("legacy", "a"), b: offeringServer("modern", "b") });
    await using host = await EraHost.open(world, "legacy");
    await host.text("a_log", { level: "debug", text: "unasked" });
    await until(() => lines(host).length === 1);
    assert.deepEqual(await host.result("logging/setLevel", { level: "warning" }), {});
    assert.match(await host.text("a_wishes"), /"level warning"/);
    for (const server of ["a", "b"]) {
      await host.text(`${server}_log`, { level: "info", text: "little" });
      await host.text(`${server}_log`, { level: "error", text: "grave", logger: "own" });
    }
    await until(() => lines(host).length === 3);
    assert.deepEqual(lines(host), [
      ["debug", "unasked", "a"],
      ["error", "grave", "own"],
      ["error", "grave", "own"],
    ]);
    assert.deepEqual(
      host.heard(LOG).map(({ _meta }) => _meta),
      ["a", "a", "b"].map((server) => ({ "dev.hotplug/server": server })),
    );
    const { error } = await host.ask("logging/setLevel", { level: "loud" });
    assert.equal((error as Message)["code"], -32602);
  },
);

e2e("a server that is added later is asked for the same level", async (world) => {
  await world.userServers({ a: offeringServer("legacy", "a") });
  await using host = await EraHost.open(world, "legacy");
  await host.raw.listing("a_wishes");
  await host.result("logging/setLevel", { level: "error" });
  await world.userServers({ a: offeringServer("legacy", "a"), c: offeringServer("legacy", "c") });
  await host.raw.listing("c_wishes");
  await until(async () => (await host.text("c_wishes")).includes("level error"));
});

e2e(
  "a modern host gets with a request what its server writes, if it wants that, and else nothing",
  async (world) => {
    await world.userServers({ a: offeringServer("legacy", "a"), b: offeringServer("modern", "b") });
    await using host = await EraHost.open(world, "modern");
    const _meta = { "io.modelcontextprotocol/logLevel": "notice" };
    for (const name of ["a_log", "b_log"]) {
      const call = (level: string, meta: Message): Promise<Message> =>
        host.result("tools/call", {
          name,
          arguments: { level, text: `${name} ${level}` },
          _meta: meta,
        });
      await call("error", {});
      await call("info", _meta);
      await call("warning", _meta);
    }
    await until(() => lines(host).length === 2);
    assert.deepEqual(lines(host), [
      ["warning", "a_log warning", "a"],
      ["warning", "b_log warning", "b"],
    ]);
  },
);
