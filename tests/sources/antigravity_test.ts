import assert from "node:assert/strict";
import { antigravity } from "../../src/sources/antigravity.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.gemini/config/mcp_config.json";
const OLD = "home/.gemini/antigravity/mcp_config.json";
const OLD_CLI = "home/.gemini/antigravity-cli/mcp_config.json";
const PROJECT = "home/work/project/.agents/mcp_config.json";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Antigravity are read on ${platform}`, async () => {
    const user = { source: "antigravity", scope: "user" } as const;
    await assertPlan({
      platform,
      sources: [antigravity],
      env: { KEY: "k" },
      files: {
        [FILE]: {
          mcpServers: {
            docs: { command: "npx", args: ["-y", "docs"], env: { KEY: "${KEY}" } },
            remote: {
              serverUrl: "https://a.example/mcp",
              headers: { Authorization: "Bearer ${KEY}" },
              disabledTools: ["delete"],
            },
            off: { command: "off", disabled: true },
          },
        },
        [OLD]: { mcpServers: { docs: { command: "older" }, old: { command: "old" } } },
        [OLD_CLI]: { mcpServers: { cli: { command: "cli" } } },
        [PROJECT]: { mcpServers: { local: { command: "node" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "docs",
        state: "run",
        file: FILE,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "docs"],
          env: { KEY: "${KEY}" },
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        file: FILE,
        config: {
          url: "https://a.example/mcp",
          headers: { Authorization: "Bearer ${KEY}" },
          disabledTools: ["delete"],
        },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        file: FILE,
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "old",
        state: "run",
        file: OLD,
        config: { type: "stdio", command: "old" },
      },
      {
        ...user,
        name: "cli",
        state: "run",
        file: OLD_CLI,
        config: { type: "stdio", command: "cli" },
      },
      {
        name: "local",
        state: "untrusted",
        source: "antigravity",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node" },
      },
    ]);
  });
}

Deno.test("bad entries and files of Antigravity cost only themselves [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: {
      bad: { args: ["a"] },
      account: { serverUrl: "https://a.example/mcp", authProviderType: "google_credentials" },
      good: { command: "a" },
    },
  });
  await machine.write(PROJECT, '{\n  "mcpServers": [,\n}');
  const reading = await machine.read(antigravity);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.match(only(reading, "account").problems[0]?.message ?? "", /account of Antigravity's/);
  assert.deepEqual(only(reading, "good").problems, []);
  assert.match(report(reading, PROJECT).error?.message ?? "", /at line 2, column 18/);
});

Deno.test("what is written for Antigravity is read back the same", async () => {
  const program = { type: "stdio", command: "npx", args: ["x"], env: { A: "b" } } as const;
  await roundTrip(antigravity, { ...program, enabled: false, disabledTools: ["a"] });
  const url = "https://a.example/mcp";
  const entry = await roundTrip(antigravity, { url, headers: { A: "b" } });
  assert.deepEqual(entry, { serverUrl: url, headers: { A: "b" } });
});
