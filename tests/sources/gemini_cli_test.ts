import assert from "node:assert/strict";
import { join } from "node:path";
import { geminiCli } from "../../src/sources/gemini_cli.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.gemini/settings.json";
const PROJECT = "home/work/project/.gemini/settings.json";

const USER_FILE = `{
  "ui": { "theme": "dark" }, // and much more
  "mcp": { "excluded": ["Old"] },
  "mcpServers": {
    "github": {
      "command": "npx", "args": ["-y", "server-github"],
      "env": { "TOKEN": "$GITHUB_TOKEN" }, "cwd": "~/mcp",
      "timeout": 5000, "trust": true, "description": "Issues",
      "includeTools": ["list_issues", "search(repo)"], "excludeTools": ["delete_repo"],
    },
    "http": { "httpUrl": "https://a.example/mcp", "url": "https://a.example/sse" },
    "sse": { "url": "https://b.example/sse", "type": "sse", "headers": { "X-Key": "\${KEY}" } },
    "either": { "url": "https://c.example/mcp" },
    "old": { "command": "old-mcp" },
  },
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Gemini CLI are read on ${platform} [A01] [A02]`, async () => {
    const user = { source: "gemini-cli", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [geminiCli],
      env: { GITHUB_TOKEN: "t", KEY: "k" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: { mcpServers: { local: { command: "node", args: ["x.js"] } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "github",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "server-github"],
          env: { TOKEN: "$GITHUB_TOKEN" },
          cwd: "~/mcp",
          startupTimeout: 5000,
          callTimeout: 5000,
          enabledTools: ["list_issues", "search"],
          disabledTools: ["delete_repo"],
          description: "Issues",
        },
      },
      {
        ...user,
        name: "http",
        state: "run",
        config: { type: "streamable_http", url: "https://a.example/mcp" },
      },
      {
        ...user,
        name: "sse",
        state: "run",
        config: { type: "sse", url: "https://b.example/sse", headers: { "X-Key": "${KEY}" } },
      },
      { ...user, name: "either", state: "run", config: { url: "https://c.example/mcp" } },
      {
        ...user,
        name: "old",
        state: "disabled",
        config: { type: "stdio", command: "old-mcp", enabled: false },
      },
      {
        name: "local",
        state: "untrusted",
        source: "gemini-cli",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["x.js"] },
      },
    ]);
  });
}

Deno.test("system settings come first and defaults last, wherever their variables say", async () => {
  await using machine = await TempMachine.create();
  const servers = (command: string): object => ({ mcpServers: { x: { command } } });
  const env = {
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: await machine.write("etc/settings.json", servers("system")),
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: await machine.write("etc/defaults.json", servers("defaults")),
  };
  await machine.write(FILE, servers("user"));
  await machine.write(PROJECT, servers("project"));
  const reading = await machine.read(geminiCli, { env });
  assert.deepEqual(
    reading.definitions.map(({ config, source }) => [config.command, source.scope]),
    [
      ["system", "managed"],
      ["project", "project"],
      ["user", "user"],
      ["defaults", "user"],
    ],
  );
  const { GEMINI_CLI_SYSTEM_SETTINGS_PATH } = env;
  await machine.write("etc/system-defaults.json", servers("beside"));
  const beside = await machine.read(geminiCli, { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH } });
  assert.equal(beside.definitions.at(-1)?.config.command, "beside");
  const written = geminiCli.writer?.fileFor(machine.context({ env }), "user");
  assert.equal(written?.path, join(machine.home, ".gemini", "settings.json"));
});

Deno.test("GEMINI_CLI_HOME stands for the home folder", async () => {
  await using machine = await TempMachine.create();
  await machine.write("other/.gemini/settings.json", { mcpServers: { x: { command: "moved" } } });
  const env = { GEMINI_CLI_HOME: join(machine.root, "other") };
  assert.equal(only(await machine.read(geminiCli, { env }), "x").config.command, "moved");
});

Deno.test("lists of names and the file of switches turn servers off, whatever their case", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcp: { allowed: ["One", "two", "three"] },
    mcpServers: { one: { command: "1" }, Two: { command: "2" }, four: { command: "4" } },
  });
  await machine.write(PROJECT, {
    mcp: { excluded: ["TWO"] },
    mcpServers: { Three: { command: "3" } },
  });
  await machine.write("home/.gemini/mcp-server-enablement.json", { three: { enabled: false } });
  const reading = await machine.read(geminiCli);
  const enabled = (name: string): boolean => only(reading, name).config.enabled !== false;
  assert.deepEqual(["one", "Two", "Three", "four"].map(enabled), [true, false, false, false]);
  const remedies = (name: string): readonly string[] | undefined =>
    only(reading, name).switchedOffBy?.map(({ remedy }) => remedy.replace(`${machine.root}/`, ""));
  assert.deepEqual(remedies("four"), [`Add "four" to "mcp.allowed" in "${FILE}"`]);
  assert.deepEqual(remedies("Two"), [`Take "TWO" out of "mcp.excluded" in "${PROJECT}"`]);
  assert.deepEqual(remedies("Three"), [
    'Take "three" out of "home/.gemini/mcp-server-enablement.json"',
  ]);
});

Deno.test("broken files are reported with their place, and others live [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '{\n  "mcpServers": {\n');
  await machine.write("home/.gemini/mcp-server-enablement.json", "[");
  await machine.write(PROJECT, { mcpServers: { x: { command: "a" }, bad: { args: ["b"] } } });
  const reading = await machine.read(geminiCli);
  assert.match(report(reading, FILE).error?.message ?? "", /at line 3, column 1/);
  assert.equal(report(reading, "enablement.json").state, "malformed");
  assert.deepEqual(only(reading, "x").problems, []);
  assert.match(report(reading, PROJECT).warnings.join(), /"bad" .* is ignored/);
});

Deno.test("a login with an account of Gemini CLI's is not possible elsewhere", async () => {
  await using machine = await TempMachine.create();
  const entry = { url: "https://a.example/mcp", authProviderType: "google_credentials" };
  await machine.write(FILE, {
    mcpServers: { x: entry, y: { ...entry, authProviderType: "none" } },
  });
  const reading = await machine.read(geminiCli);
  assert.match(
    only(reading, "x").problems[0]?.message ?? "",
    /"authProviderType" needs an account/,
  );
  assert.deepEqual(only(reading, "y").problems, []);
});

Deno.test("what is written for Gemini CLI is read back the same", async () => {
  const program = await roundTrip(geminiCli, {
    type: "stdio",
    command: "npx",
    args: ["-y", "x"],
    cwd: "/srv",
    env: { A: "$B" },
    startupTimeout: 9000,
    callTimeout: 9000,
    enabledTools: ["a"],
    disabledTools: ["b"],
    description: "d",
  });
  assert.equal(program["timeout"], 9000);
  const older = await roundTrip(geminiCli, { type: "sse", url: "https://a.example/sse" });
  assert.deepEqual(older, { type: "sse", url: "https://a.example/sse" });
  await roundTrip(
    geminiCli,
    { type: "streamable_http", url: "https://a.example/mcp", headers: { A: "${B}" } },
    { scope: "project" },
  );
});
