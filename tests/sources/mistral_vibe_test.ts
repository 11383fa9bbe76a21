import assert from "node:assert/strict";
import { join } from "node:path";
import { mistralVibe } from "../../src/sources/mistral_vibe.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.vibe/config.toml";
const PROJECT = "home/work/project/.vibe/config.toml";

const USER_FILE = `
active_model = "devstral-2"

[[mcp_servers]]
name = "fetch"
transport = "stdio"
command = "uvx mcp-server-fetch"
args = ["--quiet", "\${NOT_A_PLACEHOLDER}"]
env = { LEVEL = "debug" }
cwd = "/srv"
prompt = "Fetches pages"
startup_timeout_sec = 15
tool_timeout_sec = 120.5
disabled_tools = ["post"]

[[mcp_servers]]
name = "old_auth"
transport = "http"
url = "https://a.example/mcp"
headers = { X-Region = "eu" }
api_key_env = "KEY"
api_key_header = "X-API-Key"
api_key_format = "key={token}"

[[mcp_servers]]
name = "new_auth"
transport = "streamable-http"
url = "https://b.example/mcp"
sampling_enabled = false

[mcp_servers.auth]
type = "static"
api_key_env = "KEY"

[[mcp_servers]]
name = "linear"
transport = "streamable-http"
url = "https://mcp.linear.app/mcp"

[mcp_servers.auth]
type = "oauth"
scopes = ["read"]

[[mcp_servers]]
name = "off"
transport = "stdio"
command = ["npx", "-y", "off"]
disabled = true
`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Mistral Vibe are read on ${platform}`, async () => {
    const user = { source: "mistral-vibe", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [mistralVibe],
      env: { KEY: "k" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: '[[mcp_servers]]\nname = "local"\ntransport = "stdio"\ncommand = "node x.js"\n',
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "fetch",
        state: "run",
        config: {
          type: "stdio",
          command: "uvx",
          args: ["mcp-server-fetch", "--quiet", "$${NOT_A_PLACEHOLDER}"],
          env: { LEVEL: "debug" },
          cwd: "/srv",
          startupTimeout: 15_000,
          callTimeout: 120_500,
          disabledTools: ["post"],
        },
      },
      {
        ...user,
        name: "old_auth",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { "X-Region": "eu", "X-API-Key": "key=${env:KEY}" },
        },
      },
      {
        ...user,
        name: "new_auth",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://b.example/mcp",
          headers: { Authorization: "Bearer ${env:KEY}" },
        },
      },
      {
        ...user,
        name: "linear",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://mcp.linear.app/mcp",
          oauth: { type: "oauth", scopes: ["read"] },
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "npx", args: ["-y", "off"], enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "mistral-vibe",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["x.js"] },
      },
    ]);
  });
}

Deno.test("VIBE_HOME moves the user's folder, but not to a relative path", async () => {
  await using machine = await TempMachine.create();
  const server = (command: string): string =>
    `[[mcp_servers]]\nname = "x"\ntransport = "stdio"\ncommand = "${command}"`;
  await machine.write(FILE, server("default"));
  await machine.write("moved/config.toml", server("moved"));
  const commandWith = async (VIBE_HOME: string): Promise<string | undefined> =>
    only(await machine.read(mistralVibe, { env: { VIBE_HOME } }), "x").config.command;
  assert.equal(await commandWith(join(machine.root, "moved")), "moved");
  assert.equal(await commandWith("moved"), "default");
});

Deno.test("a header that is written out wins over the token's, whatever its case", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    FILE,
    `[[mcp_servers]]
name = "x"
transport = "http"
url = "https://a.example/mcp"
headers = { authorization = "Basic abc" }
api_key_env = "KEY"
`,
  );
  const { headers } = only(await machine.read(mistralVibe), "x").config;
  assert.deepEqual(headers, { authorization: "Basic abc" });
});

Deno.test("bad entries and files of Mistral Vibe cost only themselves [A05] [A28]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(
    FILE,
    `[[mcp_servers]]
transport = "stdio"
command = "nameless"
[[mcp_servers]]
name = "bad"
transport = "stdio"
[[mcp_servers]]
name = "good"
transport = "stdio"
command = "a"
`,
  );
  await machine.write(PROJECT, '[[mcp_servers]]\nname = "a"\ncommand = "C:\\dir\\a.exe"');
  const reading = await machine.read(mistralVibe);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["bad", "good"]);
  assert.match(only(reading, "bad").problems[0]?.message ?? "", /requires command.*:4\)/);
  assert.deepEqual(only(reading, "good").problems, []);
  assert.match(report(reading, FILE).warnings.join(), /without a name/);
  assert.match(report(reading, PROJECT).error?.message ?? "", /single quotes.* line 3, column \d+/);
  await machine.write(FILE, '[mcp_servers.a]\ncommand = "a"');
  const { state, error } = report(await machine.read(mistralVibe), FILE);
  assert.deepEqual([state, error?.message.includes("must be a list")], ["malformed", true]);
});

Deno.test("servers of Mistral Vibe's under another key are told in the form that it reads [A30]", async () => {
  await using machine = await TempMachine.create();
  const hint = 'Write each server as [[mcp_servers]] with name = "<name>"';
  for (const key of ["mcp.servers", "mcpServers", "mcp_servers"]) {
    await machine.write(FILE, `[${key}.a]\ncommand = "a"\n`);
    assert.equal(report(await machine.read(mistralVibe), FILE).error?.hint, hint, key);
  }
});

Deno.test("what is written for Mistral Vibe is read back the same", async () => {
  await roundTrip(mistralVibe, {
    type: "stdio",
    command: "npx",
    args: ["x", "a b"],
    cwd: "/srv",
    env: { A: "$${B}" },
    startupTimeout: 15_000,
    callTimeout: 60_000,
    disabledTools: ["a"],
    enabled: false,
  });
  await roundTrip(mistralVibe, { type: "stdio", command: "/opt/my tools/run", args: ["x"] });
  const url = "https://a.example/mcp";
  const entry = await roundTrip(mistralVibe, {
    type: "streamable_http",
    url,
    headers: { "X-A": "b", "Authorization": "Bearer ${env:KEY}" },
  });
  assert.deepEqual([entry["api_key_env"], entry["headers"]], ["KEY", { "X-A": "b" }]);
  const format = mistralVibe.writer?.format;
  assert.ok(format !== undefined);
  const two = writeEntry("x", { url, headers: { A: "${env:A}", B: "${env:B}" } }, format);
  assert.match(two.problems[0]?.message ?? "", /no placeholder in "headers.B"/);
  assert.notEqual(writeEntry("x", { type: "sse", url }, format).problems.length, 0);
});
