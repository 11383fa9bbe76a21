import assert from "node:assert/strict";
import { nameProblem } from "../../src/definitions/server_name.ts";

Deno.test("names of all scripts, spaces and prototype names are allowed", () => {
  for (
    const name of [
      "a",
      "Atlassian Rovo",
      "数据库",
      "__proto__",
      "constructor",
      "a/b",
      "🦕",
      "x".repeat(128),
    ]
  ) assert.equal(nameProblem(name), null, name);
});

Deno.test("names that mislead a program or a reader are refused without being shown [H11]", () => {
  const bad: [string, RegExp][] = [
    ["", /empty/],
    [" \t", /empty/],
    ["x".repeat(129), /more than 128/],
    ["--dangerous-flag", /option/],
    ["a\u0000b", /control/],
    ["a\nb", /control/],
    ["a\u001b[2J", /control/],
    ["a\u2028b", /control/],
    ["a\ud800b", /control/],
    ["a\u202eb", /direction/],
    ["a\u2066b", /direction/],
    ["a\u200bb", /invisible/],
    ["a\u{e0041}b", /invisible/],
  ];
  for (const [name, reason] of bad) {
    const problem = nameProblem(name);
    assert.match(problem?.message ?? "", reason, JSON.stringify(name));
    assert.equal(problem?.code, "config-invalid");
    if (name.trim() !== "") assert.ok(!problem?.message.includes(name));
  }
});
