import assert from "node:assert/strict";
import { type RuleTexts, shownRule } from "../../src/plan/policy_shown.ts";

/** How a rule is shown. */
function shown(rule: Partial<RuleTexts>): string {
  return shownRule({ name: null, url: null, command: null, ...rule });
}

Deno.test("a rule is shown as its file has it", () => {
  assert.equal(shown({ command: ["npx", "*"] }), "command npx *");
  assert.equal(shown({ url: "https://*.example.com/*" }), "url https://*.example.com/*");
  assert.equal(shown({ name: "x*", command: ["sh", "-c", "a b"] }), 'name x*, command sh -c "a b"');
  assert.equal(shown({ name: "x", url: "*" }), "name x, url *");
});

Deno.test("a rule is shown shortened, without secrets and without what steers a terminal", () => {
  const long = shown({ command: ["npx", "x".repeat(500)] });
  assert.ok(long.length < 80 && long.endsWith("…"), long);
  assert.equal(shown({ name: "a\x1b[31m\u202eb\nc" }), "name a?[31m?b?c");
  const secret = "hunter2hunter2";
  assert.doesNotMatch(shown({ command: ["x", "--token", secret] }), /hunter2/);
  assert.doesNotMatch(shown({ url: `https://a.example/mcp?key=${secret}` }), /hunter2/);
  assert.equal([...shown({ name: "😀".repeat(100) })].at(-2), "😀", "no half of a character");
});
