import assert from "node:assert/strict";
import { join } from "node:path";
import { mcporter } from "../../src/sources/mcporter.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.mcporter/mcporter.json";
const PROJECT = "home/work/project/config/mcporter.json";

const USER_FILE = `{
  "$schema": "https://example.com/mcporter.schema.json",
  "mcpServers": {
    // Comments are allowed.
    "playwright": { "command": "npx @playwright/mcp --browser 'my chrome'", "lifecycle": "keep-alive" },
    "linear": {
      "description": "Issues",
      "baseUrl": "https://mcp.linear.app/mcp",
      "headers": { "X-Team": "\${TEAM:-none}", "X-Key": "$env:LINEAR_KEY" },
      "blocked_tools": ["delete"],
      "protocol_version": "legacy",
    },
    "github": { "serverUrl": "https://api.github.example/mcp/", "bearerTokenEnv": "GITHUB_AUTH" },
    "vercel": { "base_url": "https://mcp.vercel.example", "auth": "oauth", "oauthClientId": "id" },
  },
  "imports": ["cursor", "codex"],
  "daemonIdleTimeoutMs": 5000,
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of mcporter are read on ${platform} [A12] [A37]`, async () => {
    const user = { state: "run", source: "mcporter", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [mcporter],
      env: { LINEAR_KEY: "k", GITHUB_AUTH: "Bearer t" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: {
          mcpServers: {
            docs: { command: ["node", "docs.js"], cwd: "../docs" },
            root: { executable: "root-mcp", args: ["-v"] },
          },
        },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "playwright",
        config: {
          type: "stdio",
          command: "npx",
          args: ["@playwright/mcp", "--browser", "my chrome"],
        },
      },
      {
        ...user,
        name: "linear",
        config: {
          description: "Issues",
          url: "https://mcp.linear.app/mcp",
          headers: { "X-Team": "${TEAM:-none}", "X-Key": "$env:LINEAR_KEY" },
          disabledTools: ["delete"],
          protocol: "legacy",
        },
      },
      {
        ...user,
        name: "github",
        config: {
          url: "https://api.github.example/mcp/",
          headers: { Authorization: "$env:GITHUB_AUTH" },
        },
      },
      {
        ...user,
        name: "vercel",
        config: {
          url: "https://mcp.vercel.example",
          auth: "oauth",
          oauth: { clientId: "id" },
        },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "mcporter",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["docs.js"], cwd: "docs" },
      },
      {
        name: "root",
        state: "untrusted",
        source: "mcporter",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "root-mcp", args: ["-v"] },
      },
    ]);
  });
}

Deno.test("paths of mcporter's files stand against their folders [A21]", async () => {
  await using machine = await TempMachine.create();
  const cwds = { up: "..", sub: "sub", root: "/srv", home: "~/x", variable: "${DIR}" };
  const servers = Object.fromEntries(
    Object.entries(cwds).map(([name, cwd]) => [name, { command: "a", cwd }]),
  );
  await machine.write(PROJECT, { mcpServers: servers });
  await machine.write(FILE, { mcpServers: { user: { command: "a", cwd: "sub" } } });
  const reading = await machine.read(mcporter);
  const { source, config } = only(reading, "user");
  assert.deepEqual([source.base, config.cwd], [join(machine.home, ".mcporter"), "sub"]);
  const found = reading.definitions.filter(({ name }) => name !== "user");
  assert.ok(found.every((one) => one.source.base === machine.workspace));
  assert.deepEqual(Object.fromEntries(found.map(({ name, config: { cwd } }) => [name, cwd])), {
    ...cwds,
    up: undefined,
    sub: "config/sub",
  });
});

Deno.test("a path with blanks that is a program stays one [A37]", async () => {
  await using machine = await TempMachine.create();
  const program = await machine.write("my tools/run", "");
  await machine.write(FILE, {
    mcpServers: { is: { command: program }, none: { command: `${program}ner --x` } },
  });
  const reading = await machine.read(mcporter);
  assert.equal(only(reading, "is").config.command, program);
  assert.equal(only(reading, "none").config.args?.length, 2);
});

Deno.test("tokens that only mcporter has are a problem of their entry alone [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: {
      held: { baseUrl: "https://a.example", auth: "refreshable_bearer", refresh: {} },
      defaults: {
        command: "a",
        env: { A: "${V:-env:x}", B: "${V:d}", C: "${V-d}", D: "${V}", E: "x${V-d}" },
      },
      static: { baseUrl: "https://a.example", bearerToken: "t" },
      both: { baseUrl: "https://a.example", url: "https://b.example", command: "a" },
    },
  });
  const reading = await machine.read(mcporter);
  assert.match(only(reading, "held").problems[0]?.message ?? "", /mcporter's alone/);
  assert.deepEqual(only(reading, "defaults").config.env, {
    A: "${V:-env:x}",
    B: "${V:-d}",
    C: "${V:-d}",
    D: "${V}",
    E: "x${V-d}",
  });
  assert.deepEqual(only(reading, "static").config.headers, { Authorization: "Bearer t" });
  const { config, problems } = only(reading, "both");
  assert.deepEqual([config.url, config.command, problems], ["https://a.example", undefined, []]);
});

Deno.test("variables move the user's file, and both endings of its name are read", async () => {
  await using machine = await TempMachine.create();
  const servers = (command: string): object => ({ mcpServers: { x: { command } } });
  await machine.write("home/.mcporter/mcporter.jsonc", servers("home"));
  await machine.write("xdg/mcporter/mcporter.json", servers("xdg"));
  const named = await machine.write("named.json", servers("named"));
  const xdg = { XDG_CONFIG_HOME: join(machine.root, "xdg") };
  for (
    const [env, commands] of [
      [{}, ["home"]],
      [xdg, ["xdg", "home"]],
      [{ ...xdg, MCPORTER_CONFIG: named }, ["named"]],
      [{ MCPORTER_CONFIG: "named.json" }, ["home"]],
    ] as const
  ) {
    const { definitions } = await machine.read(mcporter, { env });
    assert.deepEqual(definitions.map(({ config }) => config.command), commands);
  }
});

Deno.test("a broken file of mcporter's is told with its place, the others are read [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, '{ "mcpServers": {\n');
  await machine.write(PROJECT, { mcpServers: { x: { command: "a" } } });
  const reading = await machine.read(mcporter);
  assert.match(report(reading, FILE).error?.message ?? "", /line 2, column \d+/);
  assert.equal(only(reading, "x").config.command, "a");
});

Deno.test("what is written for mcporter is read back the same, wherever it stands", async () => {
  const program = {
    type: "stdio",
    command: "npx",
    args: ["-y", "x"],
    env: { A: "${B}" },
    enabledTools: ["a"],
    description: "d",
  } as const;
  await roundTrip(mcporter, { ...program, cwd: "/srv" });
  await roundTrip(mcporter, { ...program, cwd: "sub" });
  const inProject = await roundTrip(mcporter, program, { scope: "project" });
  assert.equal(inProject["cwd"], "..");
  await roundTrip(mcporter, { ...program, cwd: "docs" }, { scope: "project" });
  await roundTrip(mcporter, { url: "https://a.example", headers: { A: "$env:B" }, auth: "oauth" });
});
