import assert from "node:assert/strict";
import { connectToServer, listTools } from "../../../mod.ts";
import { currentMachine } from "../../../src/platform/machine.ts";
import { startConformanceServer } from "../../harness/http_servers.ts";
import { conformanceServer } from "../../harness/servers.ts";
import { makeTempHome } from "../../harness/temp_home.ts";
import { hasPassed, score, summary } from "../results.ts";
import type { Revision } from "../suite_process.ts";
import { expectedFailures } from "./expected_failures.ts";
import { Offer } from "./offer.ts";
import { runServerSuite, type ServerRun } from "./server_suite.ts";

type Era = "legacy" | "modern";

const OWN: readonly (readonly [Era, Revision, number])[] = [
  ["legacy", "2025-11-25", 30],
  ["modern", "2026-07-28", 37],
];

for (const [era, revision, required] of OWN) {
  Deno.test(`the ${era} fixture passes every scenario of ${revision} by itself`, async (t) => {
    const run = await runDirect(era, revision);
    const all = score(run.required, new Set());
    await t.step(summary(revision, all), () => {
      assert.deepEqual(all.unexpected, [], all.unexpected.join("\n"));
      assert.equal(all.passed.length, required, run.output);
    });
    const beside = score(run.unscored, await expectedFailures(`${era} fixture itself`));
    await t.step(summary("beside them", beside), () => {
      assert.deepEqual(beside.unexpected, [], beside.unexpected.join("\n"));
      assert.deepEqual(beside.stale, [], "These pass: take them out of expected_failures.yml");
    });
  });
}

// What a gateway in front of them passes is then the gateway's own doing.
const OTHER: readonly (readonly [Era, Revision, number, readonly string[]])[] = [
  // It wants an answer that is no success, and gets an error.
  ["legacy", "2026-07-28", 37, ["input-required-result-validate-input"]],
  ["modern", "2025-11-25", 30, []],
];

for (const [era, revision, required, passing] of OTHER) {
  Deno.test(`the ${era} fixture does not speak ${revision}`, async () => {
    const run = await runDirect(era, revision);
    assert.equal(run.required.length, required, run.output);
    const passed = run.required.filter(hasPassed).map(({ scenario }) => scenario);
    assert.deepEqual(passed, passing);
  });
}

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`the ${era} fixture offers the same over stdio`, async () => {
    const { command, args, env } = conformanceServer(era);
    const machine = currentMachine();
    const config = { type: "stdio", command, args, env, headers: {}, cwd: machine.cwd } as const;
    const limits = { timeout: 30_000, callTimeout: 30_000 };
    const connection = await connectToServer(era, config, {
      ...limits,
      environment: Deno.env.toObject(),
      machine,
    });
    try {
      assert.equal(connection.protocol.era, era);
      const { items } = await listTools(connection);
      assert.deepEqual(items.map(({ raw }) => raw), new Offer().listedTools());
    } finally {
      await connection.close();
    }
  });
}

/** Runs the suite against a fixture over HTTP, with nothing between. */
async function runDirect(era: Era, revision: Revision): Promise<ServerRun> {
  const home = await makeTempHome();
  const server = await startConformanceServer(home, era);
  try {
    return await runServerSuite(server.url, revision);
  } finally {
    await server.close();
    await home.remove();
  }
}
