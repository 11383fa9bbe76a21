import assert from "node:assert/strict";
import { isExampleText } from "../../src/doctor/example_text.ts";
import { leftovers } from "../../src/doctor/leftovers.ts";
import { placeholderFindings } from "../../src/doctor/placeholders.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";
import { of, running, subject, told } from "./made.ts";

Deno.test("a placeholder of another agent's is told with the field, never with a default", () => {
  const cases: readonly (readonly [PlaceholderDialect, string, string | null])[] = [
    ["literal", "${API_KEY}", "${API_KEY}"],
    ["literal", "Bearer ${API_KEY:-sk-default-secret}", "${API_KEY}"],
    ["literal", "${env:API_KEY}", "${env:API_KEY}"],
    ["literal", "{env:API_KEY}", "{env:API_KEY}"],
    ["literal", "${{ secrets.API_KEY }}", "${{ secrets.API_KEY }}"],
    ["literal", "$API_KEY", "$NAME"],
    ["literal", "%API_KEY%", "%NAME%"],
    ["literal", "$env:API_KEY", "$env:NAME"],
    ["literal", "pa$$word, $5 and 100%", null],
    ["literal", "costs $USD today", null],
    ["braces", "${API_KEY}", null],
    ["braces", "{env:API_KEY}", "{env:API_KEY}"],
    ["env-braces", "{env:API_KEY}", null],
    ["env-braces", "${API_KEY}", "${API_KEY}"],
    ["dollar", "$API_KEY", null],
    ["dollar", "%API_KEY%", null],
    ["env-colon", "$API_KEY", "$NAME"],
    ["secrets", "${{ secrets.API_KEY }}", null],
    ["hotplug", "$${API_KEY}", null],
  ];
  for (const [dialect, text, shown] of cases) {
    const found = leftovers({ command: "x", env: { KEY: text } }, dialect);
    assert.deepEqual(found, shown === null ? [] : [{ field: "env.KEY", shown }], text);
  }
});

Deno.test("an agent that replaces nothing reads literally what its translation escapes", () => {
  const config: ServerConfig = { command: "x", env: { KEY: "$${API_KEY}" } };
  assert.deepEqual(leftovers(config, "common"), []);
  assert.deepEqual(leftovers(config, "common", true), [{ field: "env.KEY", shown: "${API_KEY}" }]);
  assert.deepEqual(leftovers(config, "common", ["args"]), []);
  assert.equal(leftovers(config, "common", ["env"]).length, 1);
  const codex = of("codex", config, { dialect: "common", label: "Codex" });
  assert.deepEqual(told(placeholderFindings(subject(codex, { literal: true }))), [
    'warning: Codex reads "${API_KEY}" in "env.KEY" literally → Name the variable: in "env_vars" ' +
    'for a program; in "bearer_token_env_var" or "env_http_headers" for a remote server',
  ]);
});

Deno.test("scripts in arguments keep their own variables", () => {
  const shell: ServerConfig = { command: "/bin/sh", args: ["-c", "echo ${HOME} $USER", "$HOME"] };
  assert.deepEqual(leftovers(shell, "literal"), []);
  const node: ServerConfig = { command: "node", args: ["-e", "`${x}`", "${x}"] };
  assert.deepEqual(leftovers(node, "literal"), [{ field: "args[2]", shown: "${x}" }]);
});

Deno.test("what an example left behind is told, and a real value is not", () => {
  const examples = ["YOUR_API_KEY", "your-api-key-here", "<token>", "Bearer <your token>", "xxxx"];
  for (const text of [...examples, "sk-xxxxxxxx", "changeme", "/path/to/folder", "[YOUR KEY]"]) {
    assert.ok(isExampleText(text), text);
  }
  for (const text of ["", "production", "my-server", "s3cr3t", "/home/me", "${TOKEN}", "<a><b>"]) {
    assert.ok(!isExampleText(text), text);
  }
  const found = placeholderFindings(
    subject(of("cursor", { url: "https://a", headers: { A: "<k>" } })),
  );
  assert.deepEqual(told(found), [
    'warning: "headers.A" still holds the text of an example → Put your own value there',
  ]);
});

Deno.test("missing variables and values have their names, and what is not approved none", () => {
  const definition = of("cursor", {
    command: "x",
    env: { A: "${env:GONE}", B: "${input:pass}", C: "${env:THERE}" },
  }, { dialect: "env-colon" });
  assert.deepEqual(told(placeholderFindings(running(definition, { THERE: "1" }))), [
    'error: Cannot expand "env.A": the variable "GONE" is not set → Set "GONE" in the ' +
    "environment",
    'error: Cannot expand "env.B": the value "pass" must be given by the user → Set the variable ' +
    '"HOTPLUG_INPUT_PASS" in the environment',
  ]);
  assert.deepEqual(placeholderFindings(subject(definition)), []);
  const unknown = of("cursor", { command: "${NAME}" }, { dialect: "env-colon" });
  assert.match(told(placeholderFindings(subject(unknown)))[0] ?? "", /"\$\{NAME\}" is not known/);
  const off = subject(unknown, { verdict: { state: "disabled", reason: null } });
  assert.deepEqual(placeholderFindings(off), []);
});
