import assert from "node:assert/strict";
import { hasPassed, scenarioOfFolder, type ScenarioResult, score, summary } from "./results.ts";

function result(scenario: string, ...statuses: readonly string[]): ScenarioResult {
  return { scenario, checks: statuses.map((status) => ({ id: "c", status })), stderr: "" };
}

Deno.test("a scenario passes with a success and without failures and warnings", () => {
  assert.equal(hasPassed(result("s", "INFO", "SUCCESS", "SKIPPED")), true);
  assert.equal(hasPassed(result("s", "SUCCESS", "FAILURE")), false);
  assert.equal(hasPassed(result("s", "SUCCESS", "WARNING")), false);
});

Deno.test("a scenario in which nothing was checked has not passed", () => {
  assert.equal(hasPassed(result("s")), false);
  assert.equal(hasPassed(result("s", "INFO", "SKIPPED")), false);
});

Deno.test("the name of a result folder without its time is the scenario's", () => {
  assert.equal(scenarioOfFolder("tools_call-2026-10-05T08-11-02-123Z"), "tools_call");
  assert.equal(
    scenarioOfFolder("auth/2025-03-26-oauth-2026-10-05T08-11-02-123Z"),
    "auth/2025-03-26-oauth",
  );
  assert.equal(scenarioOfFolder("auth\\dpop-2026-10-05T08-11-02-123Z"), "auth/dpop");
});

Deno.test("a run is split by what passed and by what was expected", () => {
  const failed = {
    scenario: "broken",
    checks: [{ id: "rule", status: "FAILURE", errorMessage: "No header" }],
    stderr: "Lost it\n",
  };
  const results = [
    result("good", "SUCCESS"),
    failed,
    result("silent"),
    result("later", "FAILURE"),
    result("done", "SUCCESS"),
  ];
  const split = score(results, new Set(["later", "done", "of another set"]));
  assert.deepEqual(split.passed, ["done", "good"]);
  assert.deepEqual(split.unexpected, [
    "broken\n  FAILURE rule: No header\n  the client says: Lost it",
    "silent\n  nothing was checked",
  ]);
  assert.deepEqual(split.expected, ["later"]);
  assert.deepEqual(split.stale, ["done"]);
  assert.equal(summary("set", split), "set: 2 of 5 scenarios pass, 1 are expected to fail");
});

Deno.test("single checks can be expected to fail", () => {
  const known = { id: "known", status: "FAILURE" };
  const fine = { id: "fine", status: "SUCCESS" };
  const other = { id: "other", status: "WARNING" };
  const results = [
    { scenario: "partly", checks: [known, fine], stderr: "" },
    { scenario: "worse", checks: [known, fine, other], stderr: "" },
    { scenario: "empty", checks: [known], stderr: "" },
    { scenario: "better", checks: [fine], stderr: "" },
  ];
  const expected = ["partly:known", "worse:known", "empty:known", "better:fine"];
  const split = score(results, new Set(expected));
  assert.deepEqual(split.passed, ["better"]);
  assert.deepEqual(split.expected, ["partly"]);
  assert.deepEqual(split.unexpected.map((story) => story.split("\n")[0]), ["empty", "worse"]);
  assert.deepEqual(split.stale, ["better:fine"]);
});
