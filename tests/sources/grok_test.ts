import assert from "node:assert/strict";
import { join } from "node:path";
import { grok } from "../../src/sources/grok.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.grok/config.toml";
const PROJECT = "home/work/project/.grok/config.toml";

const USER_FILE = `
disabled_mcp_servers = ["noisy", "team"]

[models]
default = "grok-build"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
env = { KEY = "\${KEY}" }
startup_timeout_sec = 30
tool_timeout_sec = 6000
tool_timeouts = { slow = 120 }

[mcp_servers.linear]
urlTemplate = "https://mcp.linear.app/mcp"
headers = { X-Region = "\${REGION:-eu}", x-mcp-session-id = "{{session_id}}" }
bearer_token_env_var = "KEY"

[mcp_servers.older]
url = "https://a.example/sse"
type = "sse"

[mcp_servers.off]
command = "off"
enabled = false

[mcp_servers.noisy]
command = "noisy"

[disabled_mcp_tools]
docs = ["delete"]
`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Grok are read on ${platform}`, async () => {
    const user = { source: "grok", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [grok],
      env: { KEY: "k" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: '[mcp_servers.local]\ncommand = "node"\n[mcp_servers.team]\ncommand = "team"\n',
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "docs",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "docs"],
          env: { KEY: "${KEY}" },
          startupTimeout: 30_000,
          callTimeout: 6_000_000,
          disabledTools: ["delete"],
        },
      },
      {
        ...user,
        name: "linear",
        state: "run",
        config: {
          url: "https://mcp.linear.app/mcp",
          headers: { "X-Region": "${REGION:-eu}", "Authorization": "Bearer ${env:KEY}" },
        },
      },
      {
        ...user,
        name: "older",
        state: "run",
        config: { type: "sse", url: "https://a.example/sse" },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "noisy",
        state: "disabled",
        config: { type: "stdio", command: "noisy", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "grok",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node" },
      },
      {
        name: "team",
        state: "disabled",
        source: "grok",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "team", enabled: false },
      },
    ]);
  });
}

Deno.test("GROK_HOME moves the user's folder, and the organisation's file comes last", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '[mcp_servers.x]\ncommand = "default"');
  await machine.write("moved/config.toml", '[mcp_servers.x]\ncommand = "moved"');
  await machine.write("moved/managed_config.toml", '[mcp_servers.x]\ncommand = "managed"');
  const commands = async (GROK_HOME: string): Promise<readonly unknown[]> =>
    (await machine.read(grok, { env: { GROK_HOME } })).definitions.map(({ config }) =>
      config.command
    );
  assert.deepEqual(await commands(join(machine.root, "moved")), ["moved", "managed"]);
  assert.deepEqual(await commands("moved"), ["default"]);
});

Deno.test("what only Grok can fill in is told, and a project's list switches nothing", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    FILE,
    `[mcp_servers.asks]
url = "https://{{region}}.example/mcp"
setup = { fields = [] }
[mcp_servers.session]
url = "https://a.example/mcp"
headers = { S = "{{session_id}}" }
`,
  );
  await machine.write(PROJECT, 'disabled_mcp_servers = ["session"]');
  const reading = await machine.read(grok);
  assert.match(only(reading, "asks").problems[0]?.message ?? "", /"setup" asks for values/);
  const session = only(reading, "session");
  assert.match(session.warnings.join(), /"headers.S" is not sent/);
  assert.deepEqual([session.config.headers, session.config.enabled], [{}, undefined]);
});

Deno.test("bad entries and files of Grok cost only themselves [A05] [A28] [A30]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '[mcp_servers.bad]\nargs = ["a"]\n[mcp_servers.good]\ncommand = "a"');
  await machine.write(PROJECT, '[mcp_servers.a]\ncommand = "C:\\dir\\a.exe"');
  const reading = await machine.read(grok);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.deepEqual(only(reading, "good").problems, []);
  assert.match(report(reading, PROJECT).error?.message ?? "", /single quotes.* line 2, column \d+/);
  await machine.write(FILE, '[mcp.servers.a]\ncommand = "a"');
  const { error } = report(await machine.read(grok), FILE);
  assert.equal(error?.hint, 'Rename "mcp.servers" to "mcp_servers"');
});

Deno.test("what is written for Grok is read back the same", async () => {
  await roundTrip(grok, {
    type: "stdio",
    command: "npx",
    args: ["x"],
    env: { A: "${B:-c}" },
    startupTimeout: 30_000,
    callTimeout: 60_000,
    enabled: false,
  });
  const url = "https://a.example/mcp";
  const entry = await roundTrip(grok, { url, headers: { A: "${B}" } }, { scope: "project" });
  assert.deepEqual(entry, { url, headers: { A: "${B}" } });
  await roundTrip(grok, { type: "sse", url });
  const format = grok.writer?.format;
  assert.ok(format !== undefined);
  const limited = writeEntry("x", { command: "a", startupTimeout: 1500 }, format);
  assert.equal(limited.raw["startup_timeout_sec"], 2);
  assert.notEqual(writeEntry("sp.ace", { command: "a" }, format).problems.length, 0);
});
