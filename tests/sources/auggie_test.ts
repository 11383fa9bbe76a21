import assert from "node:assert/strict";
import { auggie } from "../../src/sources/auggie.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.augment/settings.json";
const PROJECT = "home/work/project/.augment/settings.json";
const LOCAL = "home/work/project/.augment/settings.local.json";

const USER_FILE = {
  model: "default",
  mcpServers: {
    sqlite: {
      command: "npx -y mcp-sqlite",
      args: ["--db", "'/data/my files.db'", 5],
      env: { TOKEN: "${SQLITE_TOKEN}", PORT: 80 },
      cwd: "${workspaceFolder}/db",
    },
    sentry: {
      type: "http",
      url: "https://mcp.sentry.dev/mcp",
      headers: { Authorization: "Bearer ${SENTRY_TOKEN:-none}" },
      clientId: "id",
    },
    off: { type: "sse", url: "https://off.example/sse", disabled: true },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Auggie are read on ${platform}`, async () => {
    const user = { source: "auggie", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [auggie],
      env: { SQLITE_TOKEN: "t" },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: { mcpServers: { a: { command: "a" }, b: { command: "b" } } },
        [LOCAL]: { mcpServers: { b: { command: "local-b" } } },
      },
    }, [
      {
        ...user,
        name: "sqlite",
        // Its folder is in a workspace that nobody trusts yet.
        state: "untrusted",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "mcp-sqlite", "--db", "/data/my files.db", "5"],
          env: { TOKEN: "${SQLITE_TOKEN}", PORT: "80" },
          cwd: "${workspaceFolder}/db",
        },
      },
      {
        ...user,
        name: "sentry",
        state: "run",
        config: {
          type: "streamable_http",
          url: "https://mcp.sentry.dev/mcp",
          headers: { Authorization: "Bearer ${SENTRY_TOKEN:-none}" },
          oauth: { clientId: "id" },
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "sse", url: "https://off.example/sse", enabled: false },
      },
      {
        name: "a",
        state: "untrusted",
        source: "auggie",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "a" },
      },
      {
        name: "b",
        state: "untrusted",
        source: "auggie",
        scope: "project",
        file: LOCAL,
        config: { type: "stdio", command: "local-b" },
      },
    ]);
  });
}

Deno.test("settings without servers say nothing, and a broken file costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { model: "default" });
  await machine.write(LOCAL, '{ "mcpServers": {\n  "x": }');
  await machine.write(PROJECT, { mcpServers: { bad: { type: "http" }, good: { command: "a" } } });
  const reading = await machine.read(auggie);
  assert.deepEqual([report(reading, "home/.augment/settings.json").error], [null]);
  assert.match(report(reading, LOCAL).error?.message ?? "", /line 2, column \d+/);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("a command with its arguments in objects is told to be no list of words", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { mcpServers: { x: { command: "a", args: [{ b: 1 }] } } });
  const { problems } = only(await machine.read(auggie), "x");
  assert.match(problems[0]?.message ?? "", /"args\[0\]": it must be a string/);
});

Deno.test("what is written for Auggie survives its shell and is read back the same", async () => {
  const raw = await roundTrip(auggie, {
    type: "stdio",
    command: "/opt/my tools/run",
    args: ["--name", "it's two words", "$HOME", "${TOKEN}", ""],
    env: { A: "b c" },
    cwd: "/srv",
    enabled: false,
  });
  assert.equal(raw["command"], "'/opt/my tools/run'");
  assert.deepEqual((raw["args"] as readonly string[]).slice(0, 3), [
    "--name",
    `'it'"'"'s two words'`,
    "'$HOME'",
  ]);
  const url = "https://a.example/mcp";
  await roundTrip(auggie, { type: "streamable_http", url, headers: { A: "${B}" } }, {
    scope: "project",
  });
  await roundTrip(auggie, { type: "sse", url });
});
