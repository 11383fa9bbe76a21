import assert from "node:assert/strict";
import { join } from "node:path";
import { hermes } from "../../src/sources/hermes.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.hermes/config.yaml";

const USER_FILE = `
model: hermes-4
mcp_servers:
  files:
    command: npx
    args: ["-y", files-mcp, "\${userHome}/data", 8080, true]
    env:
      TOKEN: \${FILES_TOKEN}
      OTHER: \${env:FILES_TOKEN}
    timeout: 90
    connect_timeout: 5.5
    keepalive_interval: 60
    trust: untrusted
    tools:
      include: [read, search]
      exclude: [search]
      prompts: false
  quoted:
    command: npx
    args: '["-y", "quoted-mcp"]'
  words:
    command: npx
    args: -y 'words mcp'
  remote:
    url: https://a.example/mcp
    headers: { Authorization: "Bearer \${FILES_TOKEN}" }
    protocol: stateless
    auth: oauth
  old:
    url: https://a.example/sse
    transport: sse
    enabled: false
`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  const file = platform === "win32" ? "home/AppData/Local/hermes/config.yaml" : FILE;
  Deno.test(`the settings of Hermes Agent are read on ${platform} [A36]`, async () => {
    const user = { state: "run", source: "hermes", scope: "user", file } as const;
    await assertPlan({
      platform,
      sources: [hermes],
      env: { FILES_TOKEN: "t" },
      files: { [file]: USER_FILE },
    }, [
      {
        ...user,
        name: "files",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "files-mcp", "${userHome}/data", "8080", "true"],
          env: { TOKEN: "${FILES_TOKEN}", OTHER: "${env:FILES_TOKEN}" },
          startupTimeout: 5_500,
          callTimeout: 90_000,
          enabledTools: ["read", "search"],
          disabledTools: ["search"],
        },
      },
      {
        ...user,
        name: "quoted",
        config: { type: "stdio", command: "npx", args: ["-y", "quoted-mcp"] },
      },
      {
        ...user,
        name: "words",
        config: { type: "stdio", command: "npx", args: ["-y", "words mcp"] },
      },
      {
        ...user,
        name: "remote",
        config: {
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer ${FILES_TOKEN}" },
          protocol: "2026-07-28",
          auth: "oauth",
        },
      },
      {
        ...user,
        name: "old",
        state: "disabled",
        config: { type: "sse", url: "https://a.example/sse", enabled: false },
      },
    ]);
  });
}

Deno.test("what Hotplug does not do for a server of Hermes' is told", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, "mcp_servers:\n  x: { url: 'https://a', ssl_verify: false }\n");
  assert.deepEqual(only(await machine.read(hermes), "x").warnings, [
    `Unknown key "ssl_verify" is ignored`,
  ]);
});

Deno.test("broken YAML of Hermes' is told with its place, a bad entry costs itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, "mcp_servers:\n  a: [\n");
  const broken = report(await machine.read(hermes), "config.yaml");
  assert.equal(broken.state, "malformed");
  assert.match(broken.error?.message ?? "", /line \d+, column \d+/);
  await machine.write(FILE, "mcp_servers:\n  bad:\n  good: { command: a }\n");
  const reading = await machine.read(hermes);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a variable moves the home folder of Hermes Agent", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/config.yaml", USER_FILE);
  const env = { HERMES_HOME: join(machine.root, "moved") };
  assert.equal((await machine.read(hermes, { env })).definitions.length, 5);
  assert.equal(
    (await machine.read(hermes, { env: { HERMES_HOME: "moved" } })).definitions.length,
    0,
  );
});

Deno.test("what is written for Hermes Agent is read back the same", async () => {
  const raw = await roundTrip(hermes, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B}" },
    cwd: "/srv",
    startupTimeout: 2_500,
    callTimeout: 90_000,
    enabledTools: ["x"],
    disabledTools: ["y"],
    enabled: false,
  });
  assert.deepEqual(raw["tools"], { include: ["x"], exclude: ["y"] });
  assert.equal(raw["connect_timeout"], 2.5);
  const url = "https://a.example";
  await roundTrip(hermes, { url, headers: { A: "b" }, protocol: "legacy" });
  const sse = await roundTrip(hermes, { type: "sse", url });
  assert.equal(sse["transport"], "sse");
  assert.equal(hermes.writer?.fileFor(await context(), "project"), null);
});

async function context(): Promise<ReturnType<TempMachine["context"]>> {
  await using machine = await TempMachine.create();
  return machine.context();
}
