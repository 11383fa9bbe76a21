import assert from "node:assert/strict";
import { join } from "node:path";
import { codex } from "../../src/sources/codex.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.codex/config.toml";
const PROJECT = "home/work/project/.codex/config.toml";

const USER_FILE = `
model = "gpt-5"

[mcp_servers.docs] # how it is written most often
command = "npx"
args = ["-y", "docs-mcp", "\${NOT_A_PLACEHOLDER}"]
env_vars = ["DOCS_TOKEN", { name = "LOCAL", source = "local" }]
cwd = "/srv/docs"
startup_timeout_sec = 1.5
tool_timeout_sec = 90
enabled_tools = ["search", "read"]
disabled_tools = ["read"]
default_tools_approval_mode = "prompt"
required = true

[mcp_servers.docs.env]
LEVEL = "debug"

[mcp_servers.docs.tools.search]
approval_mode = "approve"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { X-Region = "eu" }
env_http_headers = { X-Team = "TEAM" }
startup_timeout_ms = 20000

[mcp_servers.off]
command = "off-mcp"
enabled = false
`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Codex are read on ${platform} (mistakes 7, 8 and 10)`, async () => {
    await assertPlan({
      platform,
      sources: [codex],
      env: { FIGMA_TOKEN: "t", TEAM: "a" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: '[mcp_servers.local]\ncommand = "node"\nargs = ["local.js"]\n',
      },
      cwd: "src",
    }, [
      {
        name: "docs",
        state: "run",
        source: "codex",
        scope: "user",
        file: FILE,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "docs-mcp", "$${NOT_A_PLACEHOLDER}"],
          env: { LEVEL: "debug" },
          cwd: "/srv/docs",
          inheritEnv: ["DOCS_TOKEN", "LOCAL"],
          startupTimeout: 1500,
          callTimeout: 90_000,
          enabledTools: ["search", "read"],
          disabledTools: ["read"],
        },
      },
      {
        name: "figma",
        state: "run",
        source: "codex",
        scope: "user",
        file: FILE,
        config: {
          url: "https://mcp.figma.com/mcp",
          headers: {
            "X-Region": "eu",
            "Authorization": "Bearer ${env:FIGMA_TOKEN}",
            "X-Team": "${env:TEAM}",
          },
          startupTimeout: 20_000,
        },
      },
      {
        name: "off",
        state: "disabled",
        source: "codex",
        scope: "user",
        file: FILE,
        config: { type: "stdio", command: "off-mcp", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "codex",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["local.js"] },
      },
    ]);
  });
}

Deno.test("a server of a project without cwd starts in the project (mistake 9) [A21]", async () => {
  await onMachine({
    platform: "linux",
    sources: [codex],
    files: { [PROJECT]: '[mcp_servers.a]\ncommand = "a"\n[mcp_servers.b]\ncommand="b"\ncwd="sub"' },
  }, ({ plan }, root) => {
    const [a, b] = plan.servers.map(({ definition }) => definition);
    assert.equal(a?.config.cwd, undefined);
    assert.equal(b?.source.base, join(root, "home/work/project"));
  });
});

Deno.test("CODEX_HOME moves the user's folder, but not to a relative path", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '[mcp_servers.a]\ncommand = "default"');
  await machine.write("moved/config.toml", '[mcp_servers.a]\ncommand = "moved"');
  const commandWith = async (CODEX_HOME: string): Promise<string | undefined> =>
    only(await machine.read(codex, { env: { CODEX_HOME } }), "a").config.command;
  assert.equal(await commandWith(join(machine.root, "moved")), "moved");
  assert.equal(await commandWith("moved"), "default");
  assert.equal(only(await machine.read(codex), "a").source.environment, "codex");
});

Deno.test("an entry without command or url changes that of the next layer [A31]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '[mcp_servers.a]\ncommand = "a"\n[mcp_servers.lone]\nenabled = false');
  await machine.write(PROJECT, "[mcp_servers.a]\ntool_timeout_sec = 5\n");
  const reading = await machine.read(codex);
  const [changed] = reading.definitions.filter(({ name }) => name === "a");
  assert.deepEqual(changed?.problems, []);
  assert.deepEqual([changed?.source.scope, changed?.config.command], ["project", "a"]);
  assert.equal(changed?.config.callTimeout, 5000);
  assert.match(report(reading, FILE).warnings.join(), /"lone" .* is ignored/);
});

Deno.test("what makes Codex refuse its whole file costs one entry here [A05]", async () => {
  await using machine = await TempMachine.create();
  const secret = "sk-very-secret";
  await machine.write(
    FILE,
    `[mcp_servers.both]
command = "a"
url = "https://a.example/mcp"
[mcp_servers.stdio]
command = "a"
http_headers = { A = "b" }
[mcp_servers.remote]
url = "https://a.example/mcp"
env = { A = "b" }
[mcp_servers.inline]
url = "https://a.example/mcp"
bearer_token = "${secret}"
[mcp_servers.good]
command = "a"
env_vars = [{ name = "FAR", source = "remote" }]
http_headers_helper = "script"
`,
  );
  const reading = await machine.read(codex);
  const problems = (name: string): string =>
    only(reading, name).problems.map(({ message }) => message).join("\n");
  assert.match(problems("both"), /"url" stands beside "command".*Codex refuses the whole file/);
  assert.match(problems("stdio"), /"http_headers" stands beside "command".*refuses/);
  assert.match(problems("remote"), /"env" stands beside "url".*refuses/);
  assert.match(problems("inline"), /"bearer_token" must not stand in the file.*refuses.*:10\)/);
  assert.match(problems("good"), /"http_headers_helper" stands beside "command"/);
  assert.match(only(reading, "good").warnings.join(), /"FAR" of a remote machine/);
  assert.equal(only(reading, "good").config.inheritEnv, undefined);
  assert.ok(!JSON.stringify(reading).includes(secret));
});

Deno.test("servers under another table's name are pointed out [A30]", async () => {
  const tables = ["mcp.servers", "mcpServers"];
  for (const table of tables) {
    await using machine = await TempMachine.create();
    await machine.write(FILE, `[${table}."obsidian"]\ncommand = "x"`);
    const { state, error } = report(await machine.read(codex), FILE);
    assert.equal(state, "empty");
    assert.equal(error?.hint, `Rename "${table}" to "mcp_servers"`);
    await machine.write(FILE, `[mcp_servers.a]\ncommand="a"\n[${table}.b]\ncommand = "x"`);
    const { warnings } = report(await machine.read(codex), FILE);
    assert.match(warnings.join(), new RegExp(`"${table}" stands beside "mcp_servers"`));
  }
});

Deno.test("an unescaped Windows path is explained, and other files live [A28]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    FILE,
    '[mcp_servers.a]\ncommand = "pwsh"\nargs = ["-File", "F:\\dir\\s.ps1"]',
  );
  await machine.write(PROJECT, '[mcp_servers.b]\ncommand = "b"');
  const reading = await machine.read(codex);
  const { state, error } = report(reading, FILE);
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /single quotes or with forward slashes.* line 3, column \d+/);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["b"]);
});

Deno.test("what is written for Codex is read back the same, variables by their keys", async () => {
  await roundTrip(codex, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x", "$${LITERAL}"],
    cwd: "/srv",
    env: { A: "b" },
    inheritEnv: ["HOME_TOKEN"],
    startupTimeout: 2500,
    callTimeout: 90_000,
    enabledTools: ["a"],
    disabledTools: ["b"],
  });
  const remote = await roundTrip(codex, {
    url: "https://a.example/mcp",
    headers: { "X-A": "b", "Authorization": "Bearer ${env:TOKEN}", "X-Team": "${env:TEAM}" },
    enabled: false,
  });
  assert.equal(remote["bearer_token_env_var"], "TOKEN");
  assert.deepEqual(remote["env_http_headers"], { "X-Team": "TEAM" });
  const format = codex.writer?.format;
  assert.ok(format !== undefined);
  const inherited = writeEntry("x", { command: "a", env: { T: "${T}", U: "u" } }, format);
  assert.deepEqual(inherited.raw, { command: "a", env: { U: "u" }, env_vars: ["T"] });
  const other = writeEntry("x", { command: "a", env: { T: "${OTHER}" } }, format);
  assert.match(other.problems[0]?.message ?? "", /no placeholder in "env.T"/);
  assert.notEqual(writeEntry("sp ace", { command: "a" }, format).problems.length, 0);
  assert.notEqual(writeEntry("x", { command: "a", inheritEnv: true }, format).problems.length, 0);
  assert.notEqual(writeEntry("x", { type: "sse", url: "https://a" }, format).problems.length, 0);
});
