import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { reasonix } from "../../src/sources/reasonix.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.reasonix/config.toml";
const PROJECT = "home/work/project/reasonix.toml";
const ACTIVATION = "home/.reasonix/mcp-activation.json";

const USER_FILE = `
default_model = "deepseek"

[[plugins]] # how the program writes it
name = "files"
command = "npx"
args = ["-y", "files-mcp"]
dir = "/srv"
env = { TOKEN = "\${FILES_TOKEN:-none}" }
startup_timeout_seconds = 20
call_timeout_seconds = 0
tier = "lazy"

[[plugins]]
name = "remote"
type = "streamable-http"
url = "https://a.example/mcp"
call_timeout_seconds = 90
[plugins.headers]
Authorization = "Bearer \${REMOTE_TOKEN}"

[[plugins]]
name = "old"
type = "sse"
url = "https://a.example/sse"
auto_start = false
`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  const file = platform === "win32" ? "home/AppData/Roaming/reasonix/config.toml" : FILE;
  Deno.test(`the settings of Reasonix are read on ${platform}`, async () => {
    const user = { source: "reasonix", scope: "user", file } as const;
    await assertPlan({
      platform,
      sources: [reasonix],
      env: { REMOTE_TOKEN: "t" },
      files: { [file]: USER_FILE, [PROJECT]: '[[plugins]]\nname = "docs"\ncommand = "docs-mcp"\n' },
      cwd: "src",
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "files-mcp"],
          cwd: "/srv",
          env: { TOKEN: "${FILES_TOKEN:-none}" },
          startupTimeout: 20_000,
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer ${REMOTE_TOKEN}" },
          callTimeout: 90_000,
        },
      },
      {
        ...user,
        name: "old",
        state: "disabled",
        config: { type: "sse", url: "https://a.example/sse", enabled: false },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "reasonix",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp" },
      },
    ]);
  });
}

Deno.test("what the user switched in Reasonix counts where it was switched", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  await machine.write(PROJECT, ["a", "b", "c"].map(plugin).join(""));
  const workspace = createHash("sha256").update(machine.workspace).digest("hex");
  const override = (server: string, enabled: boolean, other: object): object => ({
    scope: "workspace",
    workspace,
    source: "project_config",
    server,
    enabled,
    ...other,
  });
  await machine.write(ACTIVATION, {
    version: 1,
    overrides: [
      override("a", false, {}),
      override("b", false, { workspace: "of another" }),
      override("c", false, { scope: "global" }),
      override("files", false, { scope: "global", source: "user_config" }),
      override("old", true, { scope: "global", source: "user_config" }),
      "nonsense",
    ],
  });
  const { definitions } = await machine.read(reasonix);
  const states = definitions.map(({ name, config }) => [name, config.enabled ?? true]);
  assert.deepEqual(Object.fromEntries(states), {
    a: false,
    b: true,
    c: true,
    files: false,
    remote: true,
    old: true,
  });
});

function plugin(name: string): string {
  return `[[plugins]]\nname = "${name}"\ncommand = "${name}"\n`;
}

Deno.test("broken TOML is told with its place, and a broken file of switches too [A05] [A28]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(PROJECT, '[[plugins]]\nname = "x"\ncommand = "C:\\Users\\x"\n');
  await machine.write(FILE, USER_FILE);
  await machine.write(ACTIVATION, "{");
  const reading = await machine.read(reasonix);
  assert.match(report(reading, PROJECT).error?.message ?? "", /line 3, column \d+/);
  assert.match(report(reading, ACTIVATION).error?.message ?? "", /line 1, column \d+/);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["files", "remote", "old"]);
});

Deno.test("another host's table in Reasonix' settings is told [A30]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '[mcp_servers.x]\ncommand = "a"\n');
  await machine.write(
    PROJECT,
    '[[plugins]]\ncommand = "nameless"\n\n[[plugins]]\nname = "good"\ncommand = "a"\n',
  );
  const reading = await machine.read(reasonix);
  assert.match(report(reading, FILE).error?.message ?? "", /found servers in "mcp_servers"/);
  assert.deepEqual(report(reading, PROJECT).warnings, ["An entry without a name is left out"]);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a variable moves the home folder of Reasonix, and older folders are read", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/config.toml", plugin("moved"));
  await machine.write("home/.config/reasonix/config.toml", plugin("older"));
  const env = { REASONIX_HOME: join(machine.root, "moved") };
  const { definitions } = await machine.read(reasonix, { env });
  assert.deepEqual(definitions.map(({ name }) => name), ["moved", "older"]);
});

Deno.test("what is written for Reasonix is read back the same, times in whole seconds", async () => {
  await roundTrip(reasonix, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B}" },
    cwd: "/srv",
    startupTimeout: 2_000,
    callTimeout: 90_000,
    enabled: false,
  });
  const url = "https://a.example";
  const remote = { type: "streamable_http", url, headers: { A: "b" } } as const;
  await roundTrip(reasonix, { ...remote, callTimeout: 1_500 }, {
    scope: "project",
    expected: { ...remote, callTimeout: 2_000 },
  });
  await roundTrip(reasonix, { type: "sse", url });
});
