import assert from "node:assert/strict";
import { startWarnings } from "../../src/gateway/start_warnings.ts";
import { row } from "../cli/views.ts";
import { e2e } from "../harness/e2e.ts";
import { trap } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { Served } from "./http/served.ts";
import { RawHost } from "./raw_host.ts";

Deno.test("what waits for somebody is told, and what is left out only when nothing else is there", () => {
  const untrusted = row({ name: "theirs", state: "untrusted" });
  const filtered = row({ name: "own", state: "filtered" });
  const disabled = row({ name: "off", state: "disabled" });
  assert.deepEqual(startWarnings([untrusted, filtered], false), {
    waiting: [untrusted],
    nothing: null,
  });
  assert.match(startWarnings([], true).nothing ?? "", /No server is declared/);
  assert.match(
    startWarnings([filtered, disabled], false).nothing ?? "",
    /left out or switched off/,
  );
  assert.equal(startWarnings([filtered, disabled], true).nothing, null);
  assert.match(startWarnings([disabled], true).nothing ?? "", /switched off/);
  assert.equal(startWarnings([row({ name: "s" })], false).nothing, null);
});

e2e("who starts a gateway without servers is told so, and lists are empty", async (world) => {
  await world.userServers({});
  await using served = await Served.start(world);
  await until(() => served.stderr.includes("No server is declared here"));
  await using host = new RawHost(world);
  await host.initialize();
  assert.deepEqual(await host.tools(), []);
  await until(() => /No server is declared here.*mcp add/.test(host.stderr));
});

e2e(
  "what a repository declares is not started, and the gateway says what to do [H01]",
  async (world) => {
    await world.projectServers({ theirs: trap("good") });
    await using served = await Served.start(world);
    await until(() =>
      /"server":"theirs","state":"untrusted".*mcp trust theirs/.test(served.stderr)
    );
    const health = await served.fetch("/healthz");
    assert.deepEqual((await health.json() as { servers: unknown }).servers, { untrusted: 1 });
    await using host = new RawHost(world, { args: ["--only", "nothing-of-this-name"] });
    await host.initialize();
    assert.deepEqual(await host.tools(), []);
  },
);
