import assert from "node:assert/strict";
import { estimatedTokens } from "../../src/tools/token_estimate.ts";
import { e2e } from "../harness/e2e.ts";
import { npmServer } from "../harness/servers.ts";

/** Tokens of what each reference server lists, as the encoding o200k_base counts them. */
const COUNTED: Readonly<Record<string, number>> = {
  everything: 1_084,
  memory: 900,
  filesystem: 1_664,
  "sequential-thinking": 863,
};

e2e("tokens of real tools are estimated within 4 % of what an encoding counts", async (world) => {
  await world.userServers({
    everything: npmServer("everything"),
    memory: npmServer("memory"),
    filesystem: npmServer("filesystem", world.project),
    "sequential-thinking": npmServer("sequential-thinking"),
  });
  const { tools } = await world.tools();
  for (const [server, counted] of Object.entries(COUNTED)) {
    const texts = tools.filter((tool) => tool.server === server)
      .map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema })
      );
    const estimate = texts.reduce((sum, text) => sum + estimatedTokens(text), 0);
    assert.ok(Math.abs(estimate / counted - 1) < 0.04, `${server}: ${estimate}, not ${counted}`);
  }
});

Deno.test("a token is a word, a number, some signs, and never nothing", () => {
  assert.equal(estimatedTokens(""), 0);
  assert.equal(estimatedTokens("read the file"), 3);
  assert.equal(estimatedTokens('{"type":"string"}'), 5);
  assert.equal(estimatedTokens("1234567"), 3);
  assert.equal(estimatedTokens("ファイル"), 2);
  assert.equal(estimatedTokens("x".repeat(120)), 10);
  // Asked twice, it says the same.
  assert.equal(estimatedTokens("read the file"), 3);
});
