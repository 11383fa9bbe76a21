import assert from "node:assert/strict";
import { expandConfig, type Expansion } from "../../src/definitions/placeholders.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";

function expand(config: ServerConfig, dialect: PlaceholderDialect): Expansion {
  return expandConfig(config, {
    dialect,
    env: {},
    home: "/home/u",
    workspacePath: "/w",
    configFolder: null,
    pathSeparator: "/",
  });
}

Deno.test("a default is advised only where the host has one [A18]", () => {
  const hint = (text: string, dialect: PlaceholderDialect): string | null | undefined =>
    expand({ args: [text] }, dialect).problems[0]?.hint;
  const advised = 'Set "NOPE" in the environment, or give a default in the file';
  for (const dialect of ["hotplug", "braces", "common", "dollar", "cmd-braces"] as const) {
    assert.equal(hint("${NOPE}", dialect), advised, dialect);
  }
  const cases = [
    ["{env:NOPE}", "env-braces"],
    ["${env:NOPE}", "env-colon"],
    ["${env:NOPE}", "vscode"],
    ["${env:NOPE}", "env-file-colon"],
    ["$env:NOPE", "braces-dollar"],
    // What a key such as Codex's bearer_token_env_var becomes.
    ["Bearer ${env:NOPE}", "common"],
  ] as const;
  for (const [text, dialect] of cases) {
    assert.equal(hint(text, dialect), 'Set "NOPE" in the environment', dialect);
  }
});

Deno.test("one problem names all values that the user must give, and all variables [A19]", () => {
  const said = (config: ServerConfig, dialect: PlaceholderDialect): unknown => {
    const { problems, needsInput } = expand(config, dialect);
    return [needsInput, ...problems.map(({ message, hint }) => [message, hint])];
  };
  const env = { A: "${input:a}", B: "${input:b}", C: "${input:a}" };
  assert.deepEqual(said({ command: "x", env }, "vscode"), [true, [
    'Cannot expand "env.A", "env.B" and "env.C": the values "a" and "b" must be given by the user',
    'Set the variables "HOTPLUG_INPUT_A" and "HOTPLUG_INPUT_B" in the environment',
  ]]);
  assert.deepEqual(said({ command: "x", args: ["${secret:S}-${secret:T}"] }, "common"), [true, [
    'Cannot expand "args[0]": the secrets "S" and "T" must be given by the user',
    'Set the variables "S" and "T" in the environment',
  ]]);
  const { problems } = expand({ args: ["${NOPE}"], env }, "hotplug");
  assert.match(problems[0]?.message ?? "", /"NOPE" is not set/);
  assert.match(problems[1]?.message ?? "", /the values "a" and "b"/);
});
