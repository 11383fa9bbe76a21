import assert from "node:assert/strict";
import { literalSecrets } from "../../src/doctor/literal_secrets.ts";
import { trackedSecretFindings } from "../../src/doctor/tracked_secrets.ts";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { PlaceholderDialect } from "../../src/model/source.ts";
import { of, PROJECT, told } from "./made.ts";

const TOKEN = "ghp_0123456789abcdefABCDEF";

Deno.test("a secret in plain text is found by its name or its shape", () => {
  const cases: readonly (readonly [ServerConfig, readonly string[]])[] = [
    [{ command: "x", env: { API_KEY: "hunter2-hunter2", PATH: "/usr/bin" } }, ["env.API_KEY"]],
    [{ command: "x", env: { ANYTHING: TOKEN } }, ["env.ANYTHING"]],
    [{ command: "x", env: { API_KEY: "${API_KEY}", TOKEN_FILE: "/run/secret-token" } }, []],
    [{ command: "x", env: { API_KEY: "${API_KEY:-hunter2-hunter2}" } }, ["env.API_KEY"]],
    [{ command: "x", env: { API_KEY: "YOUR_API_KEY", TOKEN: "test", KEY: "short" } }, []],
    [{ url: "https://a", headers: { Authorization: "Bearer ${T}" } }, []],
    [{ url: "https://a", headers: { Authorization: "Bearer abcdefgh1" } }, [
      "headers.Authorization",
    ]],
    [{ url: "https://a/?api_key=abcdefgh1&page=12345678" }, ["url"]],
    [{ url: "https://a/?api_key=${KEY}&page=12345678" }, []],
    [{ url: "https://me:hunter2-hunter2@a/" }, ["url"]],
    [{ command: "x", args: ["--token", "abcdefgh1", "--port", "12345678"] }, ["args[1]"]],
    [{ command: "x", args: ["--token=abcdefgh1", TOKEN, "--token", "${T}"] }, [
      "args[0]",
      "args[1]",
    ]],
    [{ url: "https://a", oauth: { client_id: "abcdefgh1", client_secret: "abcdefgh1" } }, [
      "oauth.client_secret",
    ]],
  ];
  for (const [config, fields] of cases) {
    assert.deepEqual(literalSecrets(of("store", config)), fields, JSON.stringify(config));
  }
});

Deno.test("only a file that git tracks gives a secret away, and the remedy speaks its dialect", () => {
  const config: ServerConfig = { command: "x", env: { API_KEY: TOKEN } };
  const find = (
    tracking: "tracked" | "untracked" | "no-repository" | "unknown",
    dialect: PlaceholderDialect = "braces",
  ): readonly string[] =>
    told(trackedSecretFindings({
      definition: of("mcp-json", config, { ...PROJECT, dialect }),
      fields: ["env.API_KEY"],
      tracking,
    }));
  const rest = "; then have the secret replaced where it was issued, as git keeps the old text";
  assert.deepEqual(find("tracked"), [
    'error: "env.API_KEY" holds a secret as plain text in a file that git tracks → Put it into a ' +
    `variable of the environment and write "\${API_KEY}" in its place${rest}`,
  ]);
  assert.match(find("tracked", "env-colon")[0] ?? "", /"\$\{env:API_KEY\}"/);
  assert.match(find("tracked", "env-braces")[0] ?? "", /"\{env:API_KEY\}"/);
  assert.match(find("tracked", "literal")[0] ?? "", /→ Keep it in a variable of the environment/);
  assert.match(find("unknown")[0] ?? "", /^info: .* cannot be told whether git tracks the file/);
  for (const harmless of ["untracked", "no-repository"] as const) {
    assert.deepEqual(find(harmless), []);
  }
  assert.doesNotMatch(JSON.stringify(find("tracked")), /ghp_/);
});
