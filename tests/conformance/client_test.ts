import assert from "node:assert/strict";
import { parse } from "yaml";
import { hasPassed, score, summary } from "./results.ts";
import { clientCommand, EXPECTED_FAILURES, runRequirements, runScenario } from "./run_suite.ts";
import type { Revision } from "./suite_process.ts";

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];

for (const revision of REVISIONS) {
  Deno.test(`every conformance scenario of ${revision} passes or is known to fail`, async (t) => {
    const run = await runRequirements(revision, clientCommand());
    const split = score(run.results, await expectedFailures());
    // As a step, since the output of a quiet run shows names alone.
    await t.step(summary(revision, split), () => {
      assert.deepEqual(split.unexpected, [], split.unexpected.join("\n"));
      assert.deepEqual(split.stale, [], "These pass: take them out of expected_failures.yml");
      assert.ok(split.passed.length > 0, run.output);
    });
    assert.equal(run.code, 0, run.output);
    assert.deepEqual(run.leftovers, []);
  });

  Deno.test(`a client that does nothing passes no scenario of ${revision}`, async () => {
    const run = await runRequirements(revision, "true");
    const split = score(run.results, new Set());
    assert.deepEqual(split.passed, []);
    assert.ok(split.unexpected.length > 20, run.output);
    assert.deepEqual(run.leftovers, []);
  });

  Deno.test(`every message of ours is valid by the schema of ${revision}`, async () => {
    for (const scenario of ["tools_call", "json-schema-2020-12-preservation"]) {
      const run = await runScenario(revision, scenario, clientCommand());
      assert.equal(run.code, 0, run.output);
      const [result] = run.results;
      assert.ok(result !== undefined && hasPassed(result), run.output);
      const valid = result.checks.filter(({ id }) => id === "wire-schema-valid");
      assert.deepEqual(valid.map(({ status }) => status), ["SUCCESS"], run.output);
    }
  });
}

/** The scenarios that may fail, from the file that the suite reads too. */
async function expectedFailures(): Promise<ReadonlySet<string>> {
  const { client } = parse(await Deno.readTextFile(EXPECTED_FAILURES)) as {
    readonly client: readonly string[];
  };
  return new Set(client);
}
