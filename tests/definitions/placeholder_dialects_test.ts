import assert from "node:assert/strict";
import {
  expandConfig,
  type Expansion,
  inputsOf,
  type PlaceholderContext,
  variablesOf,
} from "../../src/definitions/placeholders.ts";
import { ALL_DIALECTS, knownPlaceholders } from "../../src/definitions/placeholder_dialects.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";

const CONTEXT: PlaceholderContext = {
  dialect: "hotplug",
  env: {
    TOKEN: "t0ken",
    PORT: "80",
    EMPTY: "",
    HOST: "h",
    HOTPLUG_INPUT_API_KEY: "k3y",
    "ProgramFiles(x86)": "/pf",
  },
  home: "/home/u",
  workspacePath: "/home/u/work",
  configFolder: "/home/u/work/sub",
  pathSeparator: "/",
};

function expand(config: ServerConfig, dialect: PlaceholderDialect): Expansion {
  return expandConfig(config, { ...CONTEXT, dialect });
}

/** What one argument becomes; it must expand without a problem. */
function text(written: string, dialect: PlaceholderDialect): string | undefined {
  const { config, problems } = expand({ command: "x", args: [written] }, dialect);
  assert.deepEqual(problems, [], written);
  return config.args?.[0];
}

function problem(written: string, dialect: PlaceholderDialect): string {
  const { problems } = expand({ command: "x", args: [written] }, dialect);
  assert.equal(problems.length, 1, `${written}: ${JSON.stringify(problems)}`);
  return problems[0]?.message ?? "";
}

Deno.test("common files have variables, folders and secrets, and no commands [A15] [A17] [A18]", () => {
  const dialect = "common";
  assert.equal(text("Bearer ${TOKEN}", dialect), "Bearer t0ken");
  assert.equal(text("${NOPE:-${env:PORT}}|${secret:TOKEN}", dialect), "80|t0ken");
  assert.equal(
    text("${workspaceFolder}/x $${TOKEN} $(x) $TOKEN", dialect),
    "/home/u/work/x ${TOKEN} $(x) $TOKEN",
  );
  const { config, commands } = expand({ command: "x", env: { A: "!x" } }, dialect);
  assert.deepEqual([config.env, commands], [{ A: "!x" }, []]);
  assert.match(problem("${file:/x}", dialect), /"\$\{file…\}" is not known/);
});

Deno.test("opencode files have braces without a dollar, and a dollar is text [A15] [A17]", () => {
  const dialect = "env-braces";
  const { config, problems } = expand({
    url: "https://{env:HOST}:{env:PORT}/mcp",
    headers: { Authorization: "Bearer {env:TOKEN}", "X-Json": '{"a":{"b":"{env:PORT}"}}' },
  }, dialect);
  assert.deepEqual(problems, []);
  assert.equal(config.url, "https://h:80/mcp");
  assert.deepEqual(config.headers, {
    Authorization: "Bearer t0ken",
    "X-Json": '{"a":{"b":"80"}}',
  });
  assert.equal(
    text("${TOKEN} $TOKEN {TOKEN} {env} { env:TOKEN }", dialect),
    "${TOKEN} $TOKEN {TOKEN} {env} { env:TOKEN }",
  );
  // The host itself looks for the braces alone.
  assert.equal(text("${env:TOKEN}", dialect), "$t0ken");
  assert.equal(text("{env:ProgramFiles(x86)}", dialect), "/pf");
  assert.match(problem("{env:NOPE}", dialect), /"NOPE" is not set/);
  for (const odd of ["{env:}", "{env:A B}", "{env:TOKEN", "{env:A:-b}", "{file:}"]) {
    assert.match(problem(odd, dialect), /the placeholder "\{(?:env|file)[^"]*" is not known here$/);
  }
});

Deno.test("Gemini files have a bare dollar everywhere and percent signs in env on Windows [A15] [A16]", () => {
  const dialect = "dollar";
  assert.equal(text("$TOKEN-${PORT}/${NOPE:-$HOST}", dialect), "t0ken-80/h");
  assert.equal(text("US$ 5 $5.00 ^a$ $$ $(x) %TOKEN%", dialect), "US$ 5 $5.00 ^a$ $$ $(x) %TOKEN%");
  assert.equal(text("$$TOKEN", dialect), "$t0ken");
  const written: ServerConfig = {
    command: "x",
    env: { A: "%TOKEN%:$PORT", B: "100% 5%20%", C: "%ProgramFiles(x86)%" },
    headers: { H: "%TOKEN%" },
  };
  const windows = expandConfig(written, { ...CONTEXT, dialect, pathSeparator: "\\" });
  assert.deepEqual(windows.problems, []);
  assert.deepEqual([windows.config.env, windows.config.headers], [
    { A: "t0ken:80", B: "100% 5%20%", C: "/pf" },
    { H: "%TOKEN%" },
  ]);
  const elsewhere = expand(written, dialect);
  assert.deepEqual(elsewhere.problems, []);
  assert.deepEqual(elsewhere.config.env, { ...written.env, A: "%TOKEN%:80" });
  assert.deepEqual(expand(written, "dollar-only").config.env, { ...written.env, A: "%TOKEN%:80" });
  assert.match(problem("a$NOPE", dialect), /"NOPE" is not set/);
  assert.match(problem("${env:TOKEN}", dialect), /"\$\{env:TOKEN\}" is not known/);
  assert.deepEqual(variablesOf({ args: ["$A"], env: { E: "%B%" } }, dialect), ["A", "B"]);
});

Deno.test("mcporter files have PowerShell's variables beside those with braces [A15] [A17]", () => {
  const dialect = "braces-dollar";
  assert.equal(text("Bearer $env:TOKEN ${PORT} ${NOPE:-x}", dialect), "Bearer t0ken 80 x");
  assert.equal(text("$TOKEN $env: $env", dialect), "$TOKEN $env: $env");
  assert.match(problem("$env:NOPE", dialect), /"NOPE" is not set/);
  assert.match(problem("${env:TOKEN}", dialect), /is not known here/);
});

Deno.test("mcp-hub files have variables of every kind and folders [A17] [A18]", () => {
  const dialect = "cmd-braces";
  assert.equal(
    text("${TOKEN} ${env:PORT} ${NOPE:-d} ${userHome}${/}a", dialect),
    "t0ken 80 d /home/u/a",
  );
  assert.equal(text("$TOKEN $(x)", dialect), "$TOKEN $(x)");
});

Deno.test("Windsurf files have variables with a prefix alone [A17]", () => {
  assert.equal(text("${env:TOKEN}${workspaceFolder}", "env-file-colon"), "t0ken/home/u/work");
  assert.match(problem("${TOKEN}", "env-file-colon"), /is not known here/);
  assert.match(problem("${file:}", "env-file-colon"), /is not known here/);
});

Deno.test("Continue's secrets are values that the user gives, however they are spaced [A19]", () => {
  const dialect = "secrets";
  assert.equal(text("a ${{ secrets.TOKEN }} ${{secrets.TOKEN}}b", dialect), "a t0ken t0kenb");
  assert.equal(text("${{ inputs.api-key }}", dialect), "k3y");
  assert.equal(text("${TOKEN} {{ secrets.TOKEN }}", dialect), "${TOKEN} {{ secrets.TOKEN }}");
  const config = { command: "x", env: { K: "${{ secrets.GH-PAT }}" } };
  const { problems, needsInput } = expand(config, dialect);
  assert.equal(needsInput, true);
  assert.deepEqual(problems, [{
    code: "missing-variable",
    message: 'Cannot expand "env.K": the secret "GH-PAT" must be given by the user',
    hint: 'Set the variable "GH-PAT" in the environment',
  }]);
  assert.deepEqual(inputsOf(config, dialect), ["GH-PAT"]);
  for (
    const odd of ["${{ env.TOKEN }}", "${{ secrets.TOKEN || 's3cret' }}", "${{ s3cret", "${{}}"]
  ) {
    assert.match(problem(odd, dialect), /the placeholder "\$\{\{[^']*…" is not known here$/);
  }
});

Deno.test("a value that the user gives comes from a variable whose name is told [A19]", () => {
  for (const dialect of ALL_DIALECTS) {
    const braced = !["literal", "env-braces", "secrets"].includes(dialect);
    const { config, problems, needsInput } = expand(
      { command: "x", args: ["${input:api-key}"], env: { K: "${ input:Other.Key }" } },
      dialect,
    );
    assert.equal(needsInput, braced, dialect);
    assert.equal(config.args?.[0], braced ? "k3y" : "${input:api-key}", dialect);
    assert.deepEqual(
      problems.map(({ hint }) => hint),
      braced ? ['Set the variable "HOTPLUG_INPUT_OTHER_KEY" in the environment'] : [],
      dialect,
    );
  }
  const config = { command: "x", args: ["${input:api-key}", "${V}"] };
  assert.deepEqual(variablesOf(config, "hotplug"), ["HOTPLUG_INPUT_API_KEY", "V"]);
});

Deno.test("a server waits for its user only when nothing else is missing or wrong [A19]", () => {
  const asks = (config: ServerConfig): readonly [boolean, string | undefined] => {
    const { needsInput, problems } = expand(config, "common");
    return [needsInput, problems[0]?.message];
  };
  const key = { K: "${input:key}" };
  assert.equal(asks({ url: "${input:url}", headers: key })[0], true);
  assert.equal(asks({ command: "${secret:PROGRAM}" })[0], true);
  assert.deepEqual(asks({ command: "x", env: { ...key, A: "${NOPE}" } }), [
    false,
    'Cannot expand "env.A": the variable "NOPE" is not set',
  ]);
  assert.deepEqual(asks({ url: "ftp://x", headers: key }), [
    false,
    'Cannot use "url": it must be an http or https URL',
  ]);
  assert.equal(asks({ command: "x", env: { K: "${input:api-key}" } })[0], false);
});

Deno.test("what the user gives is a secret wherever it stands [H08]", () => {
  const { secrets } = expand(
    { args: ["${input:api-key}", "${secret:TOKEN}", "${PORT}"] },
    "common",
  );
  assert.deepEqual(secrets, ["k3y", "t0ken"]);
});

Deno.test("the hint for an unknown placeholder names what each dialect has [A18]", () => {
  const shown = new Set(ALL_DIALECTS.map(knownPlaceholders));
  assert.equal(shown.size, ALL_DIALECTS.length);
  const { problems } = expand({ args: ["${file:/x}"] }, "dollar");
  assert.equal(
    problems[0]?.hint,
    "Known are $NAME, ${NAME}, ${NAME:-default}, %NAME% in env on Windows",
  );
});

Deno.test("long texts take no long time in any dialect, however odd their braces are", () => {
  const pieces = [
    "${{}",
    "{env:{",
    "$(",
    "%A",
    "$A",
    "${A:-",
    "${A:-${B}}",
    "${{ secrets.",
    "$${{}",
  ];
  for (const dialect of ALL_DIALECTS) {
    for (const piece of pieces) {
      const { config } = expand({ env: { K: piece.repeat(15_000) + "}" } }, dialect);
      assert.ok(config);
    }
  }
});
