import assert from "node:assert/strict";
import fc from "fast-check";
import type { Definition, ServerConfig } from "../../src/model/definition.ts";
import type { Plan, PlannedServer } from "../../src/model/plan.ts";
import { SCOPES } from "../../src/model/source.ts";
import type { Approval } from "../../src/plan/approval.ts";
import { makePlan, type PlanInput } from "../../src/plan/make_plan.ts";
import type { DefinitionFacts } from "../../src/plan/plan_facts.ts";
import { made, PROJECT, STORE, switches, USER } from "./made.ts";

/** Facts of a definition that nothing speaks against, but for what is given. */
function facts(
  definition: Definition,
  more: Partial<DefinitionFacts> & { readonly held?: readonly string[] } = {},
): DefinitionFacts {
  const { config, source } = definition;
  const approval: Approval = more.approval ?? (source.scope === "project" ? "never" : "not-needed");
  const evaluated = definition.problems.length === 0 &&
    (approval === "not-needed" || approval === "approved");
  const launch = {
    expansion: {
      config: { ...config, env: config.env ?? {}, headers: config.headers ?? {} },
      problems: [],
      needsInput: false,
      warnings: [],
      commands: [],
      variables: [],
      secrets: [],
    },
    needsInput: false,
    cwd: config.command === undefined ? null : "/repo",
    cwdWarning: null,
    envFile: null,
    held: more.held ?? [],
  };
  return { digest: null, enabling: false, launch: evaluated ? launch : null, ...more, approval };
}

function planOf(
  definitions: readonly Definition[],
  more: Partial<Omit<PlanInput, "definitions" | "facts" | "rules">> & {
    readonly rules?: Partial<PlanInput["rules"]>;
    readonly facts?: ReadonlyMap<Definition, Partial<DefinitionFacts>>;
  } = {},
): ReturnType<typeof makePlan> {
  return makePlan({
    workspacePath: "/repo",
    store: "/home/me/.config/hotplug/mcp.json",
    workspaceConfig: "/repo/.hotplug/workspace.json",
    sources: [],
    ...more,
    definitions,
    rules: { switches: [], enableProjectConfig: true, filterExa: true, ...more.rules },
    facts: new Map(definitions.map((one) => [one, facts(one, more.facts?.get(one))])),
  });
}

function row(plan: Plan, name: string): PlannedServer {
  const found = plan.servers.filter((server) => server.name === name);
  assert.equal(found.length, 1, `rows of ${name}`);
  return found[0] as PlannedServer;
}

const APPROVED = { approval: "approved" } as const;

Deno.test("the stronger scope wins whole, and the loser is shown with its winner [A24]", () => {
  const project = made("x", { command: "project" }, PROJECT);
  const user = made("x", { command: "user", args: ["--browser", "edge"] });
  const { plan } = planOf([user, project], { facts: new Map([[project, APPROVED]]) });
  const { launch, others, definition } = row(plan, "x");
  assert.equal(definition, project);
  assert.deepEqual(launch, { command: "project", cwd: "/repo" });
  assert.deepEqual(others, [{
    source: USER,
    state: "shadowed",
    of: ".mcp.json (/repo/.mcp.json)",
    isOn: true,
  }]);
});

Deno.test("within a scope rank decides, then the order in the files", () => {
  const low = made("x", { command: "low" }, { ...USER, rank: 20 });
  const first = made("x", { command: "first" });
  const second = made("x", { command: "second" });
  const { plan } = planOf([low, first, second]);
  assert.equal(row(plan, "x").definition, first);
  assert.equal(row(plan, "x").others.length, 2);
});

Deno.test("only what may run here contends for its name", () => {
  const user = made("x", { command: "user" });
  const stronger: readonly (readonly [Definition, Parameters<typeof planOf>[1], string])[] = [
    [made("x", { command: "c" }, STORE), {}, "disabled"],
    [made("x", { command: "c" }, STORE), { rules: { switches: [switches(["x"])] } }, "untrusted"],
    [made("x", { command: "c" }, PROJECT), {}, "untrusted"],
    [made("x", { command: "c" }, PROJECT), { rules: { enableProjectConfig: false } }, "filtered"],
    [made("x", { url: "https://mcp.exa.ai/mcp" }, { ...USER, rank: 99 }), {}, "filtered"],
  ];
  for (const [definition, more, state] of stronger) {
    const { plan } = planOf([definition, user], more);
    const { verdict, others, definition: winner } = row(plan, "x");
    assert.equal(winner, user, state);
    assert.deepEqual(verdict, { state: "run" });
    assert.equal(others[0]?.state, state);
    assert.notEqual(others[0]?.of, "");
  }
});

Deno.test("an invalid entry of the repository does not take the place of the user's server", () => {
  const problem = {
    code: "config-invalid",
    message: "stdio transport requires command",
    hint: null,
  };
  const broken: Definition = {
    ...made("x", {}, PROJECT),
    problems: [{ ...problem, code: "config-invalid" }],
  };
  const user = made("x");
  assert.equal(row(planOf([broken, user]).plan, "x").definition, user);
  const approved = planOf([broken, user], { facts: new Map([[broken, APPROVED]]) });
  assert.equal(row(approved.plan, "x").verdict.state, "error");
});

Deno.test("the first wins also when it is off or invalid", () => {
  const off = made("x", { command: "c", enabled: false });
  const invalid: Definition = {
    ...made("y", {}),
    problems: [{ code: "config-invalid", message: "stdio transport requires command", hint: null }],
  };
  const weaker = { ...USER, rank: 10 };
  const { plan } = planOf([off, invalid, made("x", {}, weaker), made("y", {}, weaker)]);
  assert.equal(row(plan, "x").verdict.state, "disabled");
  assert.equal(row(plan, "y").verdict.state, "error");
});

Deno.test("a config error is told before any connection, in the words of the file [I09]", () => {
  const message = "stdio transport requires command (/home/me/.claude.json:3)";
  const invalid: Definition = {
    ...made("x", {}),
    problems: [{ code: "config-invalid", message, hint: null }],
  };
  const { verdict, launch } = row(planOf([invalid]).plan, "x");
  assert.deepEqual(verdict, {
    state: "error",
    reason: { code: "config-invalid", message, hint: null },
  });
  assert.equal(launch, null);
});

Deno.test("when nobody contends the strongest stands with its own verdict", () => {
  const project = made("x", {}, PROJECT);
  const store = made("x", {}, STORE);
  const { verdict, definition, others } = row(planOf([store, project]).plan, "x");
  assert.equal(definition, project);
  assert.equal(verdict.state, "untrusted");
  assert.deepEqual(others.map(({ state }) => state), ["disabled"]);
});

Deno.test("the order of judgement: off, left out, invalid, unapproved", () => {
  const problems = [{ code: "config-invalid", message: "bad", hint: null }] as const;
  const stateOf = (definition: Definition, rules: Partial<PlanInput["rules"]> = {}): string =>
    row(planOf([definition], { rules }).plan, "exa").verdict.state;
  const config: ServerConfig = { command: "c", enabled: false };
  assert.equal(stateOf({ ...made("exa", config, PROJECT), problems }), "disabled");
  const on: ServerConfig = { command: "c" };
  assert.equal(stateOf({ ...made("exa", on, PROJECT), problems }), "filtered");
  assert.equal(stateOf({ ...made("exa", on, PROJECT), problems }, { filterExa: false }), "error");
  assert.equal(stateOf(made("exa", on, PROJECT), { filterExa: false }), "untrusted");
});

Deno.test("a store server that a file enables runs once this user enabled it too", () => {
  const db = made("db", { command: "db" }, STORE);
  const rules = { switches: [switches(["db"])] };
  const waiting = row(planOf([db], { rules }).plan, "db");
  assert.equal(waiting.verdict.state, "untrusted");
  assert.equal(waiting.workspace, "enabled");
  assert.match(JSON.stringify(waiting.verdict), /mcp trust db/);
  const { plan } = planOf([db], { rules, facts: new Map([[db, { enabling: true }]]) });
  assert.equal(row(plan, "db").verdict.state, "run");
});

Deno.test("what the workspace switches off is off whoever declares it, and stays visible [C11]", () => {
  const names = ["a", "b", "c"];
  const definitions = [made("a"), made("b", {}, PROJECT), made("c", {}, STORE)];
  const { plan } = planOf(definitions, { rules: { switches: [switches(["c"], names)] } });
  for (const name of names) {
    assert.equal(row(plan, name).verdict.state, "disabled");
    assert.equal(row(plan, name).workspace, "disabled");
  }
});

Deno.test("a name that is enabled and defined nowhere is a row at the end", () => {
  const { plan } = planOf([made("x")], { rules: { switches: [switches(["gone"])] } });
  assert.deepEqual(plan.servers.map(({ name }) => name), ["x", "gone"]);
  const { verdict, definition, workspace } = row(plan, "gone");
  assert.equal(verdict.state, "missing");
  assert.deepEqual([definition, workspace], [null, "enabled"]);
});

Deno.test("of two names with one connection the first runs [G19]", () => {
  const url = "https://mcp.example/mcp";
  const definitions = [
    made("a", { command: "c", args: ["x"], env: { A: "1", B: "2" } }),
    made("b", { command: "c", args: ["x"], env: { B: "2", A: "1" }, callTimeout: 5 }),
    made("other-env", { command: "c", args: ["x"], env: { A: "2", B: "2" } }),
    made("r1", { url, headers: { Authorization: "t" } }),
    made("r2", { url: "https://MCP.example:443/mcp", headers: { authorization: "t" } }),
    made("r3", { url, headers: { authorization: "u" } }),
  ];
  const { plan } = planOf(definitions);
  const states = Object.fromEntries(plan.servers.map(({ name, verdict }) => [name, verdict.state]));
  assert.deepEqual(states, {
    "a": "run",
    "b": "duplicate",
    "other-env": "run",
    "r1": "run",
    "r2": "duplicate",
    "r3": "run",
  });
  assert.match(JSON.stringify(row(plan, "b").verdict), /\\"a\\"/);
  assert.equal(row(plan, "b").launch, null);
});

Deno.test("a definition that does not run makes no other a duplicate", () => {
  const { plan } = planOf([
    made("a", { command: "c", enabled: false }),
    made("b", { command: "c" }, PROJECT),
    made("c", { command: "c" }),
  ]);
  assert.equal(row(plan, "c").verdict.state, "run");
});

Deno.test("approvals of tools that a repository gives itself are dropped, and it is said", () => {
  const config: ServerConfig = { command: "c", autoApprove: ["rm"] };
  const project = made("p", config, PROJECT);
  const { plan } = planOf([project, made("u", { ...config, args: ["u"] })], {
    facts: new Map([[project, APPROVED]]),
  });
  assert.equal(row(plan, "p").launch?.autoApprove, undefined);
  assert.match(row(plan, "p").warnings.join(), /autoApprove/);
  assert.deepEqual(row(plan, "u").launch?.autoApprove, ["rm"]);
  assert.deepEqual(row(plan, "u").warnings, []);
});

Deno.test("keys of Exa come from what was left out and may be evaluated, each once", () => {
  const url = "https://mcp.exa.ai/mcp?exaApiKey=";
  const project = made("p-exa", { url: `${url}theirs` }, PROJECT);
  const definitions = [
    made("exa", { url: `${url}mine` }),
    made("exa2", { url: `${url}mine` }),
    project,
    made("off", { url: `${url}off`, enabled: false }),
  ];
  const { exaApiKeys, plan } = planOf(definitions);
  assert.deepEqual(exaApiKeys, ["mine"]);
  assert.equal(row(plan, "p-exa").verdict.state, "filtered");
  const approved = planOf(definitions, { facts: new Map([[project, APPROVED]]) });
  assert.deepEqual([...approved.exaApiKeys].sort(), ["mine", "theirs"]);
  assert.deepEqual(planOf(definitions, { rules: { filterExa: false } }).exaApiKeys, []);
});

/** Any definition of a few names. */
const anyDefinition: fc.Arbitrary<Definition> = fc.record({
  name: fc.constantFrom("a", "b", "exa", "__proto__", "constructor"),
  scope: fc.constantFrom(...SCOPES),
  rank: fc.constantFrom(20, 80, 100),
  store: fc.boolean(),
  enabled: fc.option(fc.boolean(), { nil: undefined }),
  command: fc.constantFrom("one", "two", "three"),
  broken: fc.boolean(),
}).map(({ name, scope, rank, store, enabled, command, broken }) => ({
  name,
  config: { command, ...(enabled === undefined ? {} : { enabled }) },
  source: { ...USER, id: store ? "store" : "other", scope, rank, store },
  problems: broken ? [{ code: "config-invalid", message: "bad", hint: null }] : [],
  warnings: [],
}));

const anySwitches = fc.record({
  enabled: fc.array(fc.constantFrom("a", "b", "gone", "__proto__"), { maxLength: 4 }),
  disabled: fc.array(fc.constantFrom("a", "exa", "gone"), { maxLength: 2 }),
}).map(({ enabled, disabled }) => [switches(enabled, disabled)]);

Deno.test("every name appears exactly once, and every definition in exactly one row", () => {
  fc.assert(fc.property(fc.array(anyDefinition), anySwitches, (definitions, files) => {
    const { plan } = planOf(definitions, { rules: { switches: files } });
    const names = plan.servers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    const [file] = files;
    const wanted = file?.enabled.filter((name) => !file.disabled.includes(name)) ?? [];
    const expected = new Set([...definitions.map(({ name }) => name), ...wanted]);
    assert.deepEqual(new Set(names), expected);
    for (const { name, definition, others, launch, verdict } of plan.servers) {
      const same = definitions.filter((one) => one.name === name);
      assert.equal(others.length + (definition === null ? 0 : 1), same.length);
      assert.equal(launch !== null, verdict.state === "run");
      if (definition !== null) assert.ok(same.includes(definition));
    }
  }));
});

Deno.test("a broken definition never changes the verdict of another name", () => {
  const bad: Definition = {
    ...made("broken", {}),
    problems: [{ code: "config-invalid", message: "bad", hint: null }],
  };
  fc.assert(
    fc.property(fc.array(anyDefinition), anySwitches, fc.nat(), (definitions, files, at) => {
      const before = planOf(definitions, { rules: { switches: files } }).plan.servers;
      const more = definitions.toSpliced(at % (definitions.length + 1), 0, bad);
      const after = planOf(more, { rules: { switches: files } }).plan.servers;
      assert.deepEqual(after.filter(({ name }) => name !== "broken"), before);
    }),
  );
});

Deno.test("the order is stable: precedence of the winners, then the order of reading", () => {
  fc.assert(fc.property(fc.array(anyDefinition), (definitions) => {
    const { plan } = planOf(definitions);
    const places = plan.servers.flatMap(({ definition }) =>
      definition === null ? [] : [[
        SCOPES.indexOf(definition.source.scope),
        -definition.source.rank,
        definitions.indexOf(definition),
      ]]
    );
    const ordered = places.toSorted((one, other) => {
      const at = one.findIndex((value, index) => value !== other[index]);
      return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
    });
    assert.deepEqual(places, ordered);
  }));
});
