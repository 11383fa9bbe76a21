import assert from "node:assert/strict";
import {
  chooseServers,
  notRunnable,
  restricted,
  unknownName,
} from "../../src/cli/server_choice.ts";
import {
  lateWords,
  listExitCode,
  unavailableLines,
  viewError,
  warningLine,
} from "../../src/cli/server_answers.ts";
import { painter } from "../../src/cli/colour.ts";
import { HotplugError } from "../../src/model/errors.ts";
import type { PlanState } from "../../src/model/plan.ts";
import { plan, planned, row, SOURCE } from "./views.ts";

const three = plan(["github", "gitlab", "off"].map((name) => planned({ name })));

Deno.test("named servers come in plan order, all of them without names", () => {
  const names = (chosen: readonly string[]): readonly string[] =>
    chooseServers(three, chosen).map(({ name }) => name);
  assert.deepEqual(names([]), ["github", "gitlab", "off"]);
  assert.deepEqual(names(["off", "github"]), ["github", "off"]);
});

Deno.test("an unknown server ends with 2 and a suggestion [I04]", () => {
  assert.throws(() => chooseServers(three, ["githob"]), (error) => {
    assert.ok(error instanceof HotplugError);
    assert.equal(error.exitCode, 2);
    assert.equal(error.message, 'Cannot find server "githob": it is defined nowhere');
    assert.equal(error.hint, 'Did you mean "github"?');
    return true;
  });
});

Deno.test("without a near name, what there is is listed", () => {
  assert.equal(unknownName("tool", "zzz", ["a", "b"]).hint, "Known: a, b");
  assert.equal(unknownName("tool", "zzz", []).hint, "There is no tool at all");
});

Deno.test("a restricted configuration holds the chosen servers only", () => {
  const config = { command: "x" };
  const loaded = {
    configs: { github: config, gitlab: config },
    sources: { github: SOURCE, gitlab: SOURCE },
    exaApiKeys: [],
    plan: three,
  };
  const one = restricted(loaded, chooseServers(three, ["gitlab"]));
  assert.deepEqual(Object.keys(one.configs), ["gitlab"]);
  assert.deepEqual(Object.keys(one.sources), ["gitlab"]);
  assert.deepEqual(one.plan.servers.map(({ name }) => name), ["gitlab"]);
});

Deno.test("a server that may not run ends with 1, the state in words and a remedy", () => {
  const cases: readonly (readonly [PlanState, string, RegExp])[] = [
    ["untrusted", "not approved", /mcp trust x/],
    ["disabled", "disabled", /Enable it in \/w\/\.mcp\.json/],
    ["filtered", "filtered out", /--exa/],
    ["missing", "defined nowhere", /take its name out of \/w\/\.hotplug\/workspace\.json/],
    ["error", "invalid", /Correct it in/],
    ["needs-input", "missing a value", /Correct it in/],
    ["duplicate", "a duplicate", /repeats/],
    ["blocked", "blocked by a policy", /Correct it in/],
  ];
  for (const [state, words, hint] of cases) {
    const error = notRunnable(planned({ name: "x", verdict: { state, reason: null } }), three);
    assert.equal(error.exitCode, 1);
    assert.equal(error.message, `Cannot start server "x": it is ${words}`);
    assert.match(error.hint ?? "", hint, state);
  }
});

Deno.test("the command that approves a server takes any name", () => {
  const name = "it's $(touch x)";
  const given = planned({ name, verdict: { state: "untrusted", reason: null } });
  assert.match(
    notRunnable(given, plan([given])).hint ?? "",
    /mcp trust 'it'\\''s \$\(touch x\)'$/,
  );
});

Deno.test("the plan's own reason and hint are shown when there are some", () => {
  const reason = { code: "missing-variable", message: 'no variable "K"', hint: "Set K" } as const;
  const error = notRunnable(planned({ name: "x", verdict: { state: "error", reason } }), three);
  assert.equal(error.message, 'Cannot start server "x": it is invalid: no variable "K"');
  assert.equal(error.hint, "Set K");
  assert.equal(error.details["reason"], "missing-variable");
});

Deno.test("failures at start are a line each with what to do; the rest is one line in all", () => {
  const failed = { code: "server-exited", message: "It exited\nwith 1", hint: "x" } as const;
  const mute = { code: "protocol-error", message: "It refused", hint: null } as const;
  const base = { error: null, warnings: [] };
  const lines = unavailableLines([
    { ...base, name: "good", state: "connected", warnings: ["noise on stdout", "in the home"] },
    { ...base, name: "mute one", state: "error", error: mute, warnings: ["in the home"] },
    { ...base, name: "dead", state: "error", error: failed },
    { ...base, name: "a", state: "untrusted", error: failed },
    { ...base, name: "b", state: "untrusted" },
    { ...base, name: "off", state: "disabled", error: failed },
  ], painter(false));
  assert.deepEqual(lines, [
    "Warning: MCP unavailable: mute one: It refused",
    "  hint: To see more: mcp status 'mute one' --verbose",
    "Warning: MCP unavailable: dead: It exited with 1",
    "  hint: x",
    "warning: good: noise on stdout",
    "warning: good, mute one: in the home",
    'note: not approved: a, b (see "mcp trust")',
  ]);
});

Deno.test("a list command fails for the one server that was named [I04]", () => {
  const error = { code: "server-exited", message: "", hint: null } as const;
  const dead = { name: "x", state: "error", error, warnings: [] } as const;
  const auth = { name: "x", state: "needs-auth", error, warnings: [] } as const;
  const good = { name: "x", state: "connected", error: null, warnings: [] } as const;
  const run = [planned({ name: "x" })];
  const off = [planned({ name: "x", verdict: { state: "disabled", reason: null } })];
  assert.equal(listExitCode(["x"], [dead], run), 4);
  assert.equal(listExitCode(["x"], [auth], run), 3);
  assert.equal(listExitCode(["x"], [good], run), 0);
  assert.equal(listExitCode(["x"], [good], off), 1);
  assert.equal(listExitCode([], [dead], run), 0);
  assert.equal(listExitCode(["x", "y"], [dead, good], run), 0);
});

Deno.test("many servers with one warning are counted", () => {
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  assert.equal(warningLine("w", names), "warning: s0, s1, s2, s3, s4, s5, s6, s7 and 12 more: w");
});

Deno.test("a server that is still on its way did not answer in time, and can be given longer", () => {
  assert.deepEqual(viewError(row({ name: "x", state: "connecting" }), 10_000), {
    code: "start-timeout",
    message: "No answer within 10.0s",
    hint: "Give it longer: --wait 30s",
  });
  const [late, later] = [lateWords(1_000), lateWords(40_000)];
  assert.deepEqual([late.hint, later.hint], [
    "Give it longer: --wait 30s",
    "Give it longer: --wait 80s",
  ]);
  assert.equal(viewError(row({ name: "x", state: "connected" }), 10_000), null);
});
