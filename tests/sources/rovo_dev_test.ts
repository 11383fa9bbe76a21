import assert from "node:assert/strict";
import { rovoDev } from "../../src/sources/rovo_dev.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.rovodev/mcp.json";
const SETTINGS = "home/.rovodev/config.yml";
const PROJECT = "home/work/project/.rovodev/mcp.json";

const USER_FILE = {
  mcpServers: {
    files: { command: "npx", args: ["files-mcp"], env: { T: "${FILES_T}" }, transport: "stdio" },
    remote: { url: "https://a.example/mcp", transport: "http", headers: { A: "b" } },
    old: { url: "https://a.example/sse", transport: "sse" },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Rovo Dev are read on ${platform}, with its list of what is off`, async () => {
    const user = { source: "rovo-dev", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [rovoDev],
      env: { FILES_T: "t" },
      files: {
        [FILE]: USER_FILE,
        [SETTINGS]: "version: 1\nmcp:\n  disabledMcpServers:\n    - old\n  allowedMcpServers: []\n",
        [PROJECT]: { mcpServers: { docs: { command: "docs-mcp", transport: "stdio" } } },
        "home/work/project/.rovodev/config.yml": "mcp: { disabledMcpServers: [docs] }\n",
      },
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp"],
          env: { T: "${FILES_T}" },
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: { type: "streamable_http", url: "https://a.example/mcp", headers: { A: "b" } },
      },
      {
        ...user,
        name: "old",
        state: "disabled",
        config: { type: "sse", url: "https://a.example/sse", enabled: false },
      },
      {
        name: "docs",
        state: "disabled",
        source: "rovo-dev",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp", enabled: false },
      },
    ]);
  });
}

Deno.test("settings of Rovo Dev's that cannot be parsed are told with their place [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  await machine.write(SETTINGS, "mcp:\n  - a\n b: c\n");
  const reading = await machine.read(rovoDev);
  const { state, error } = report(reading, SETTINGS);
  assert.equal(state, "malformed");
  assert.match(error?.message ?? "", /line \d+, column \d+/);
  assert.equal(reading.definitions.length, 3);
  assert.equal(only(reading, "old").config.enabled, undefined);
});

Deno.test("settings without a list, or without a file, are listed and say nothing", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  const settings = async (): Promise<readonly unknown[]> =>
    (await machine.read(rovoDev)).reports.filter(({ path }) => path.endsWith("config.yml"))
      .map(({ state, error, warnings }) => [state, error, warnings]);
  assert.deepEqual(await settings(), [["absent", null, []], ["absent", null, []]]);
  await machine.write(SETTINGS, "version: 1\n");
  assert.deepEqual(await settings(), [["loaded", null, []], ["absent", null, []]]);
});

Deno.test("what is written for Rovo Dev has a transport and is read back the same", async () => {
  const raw = await roundTrip(rovoDev, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "b" },
  });
  assert.equal(raw["transport"], "stdio");
  const url = "https://a.example/mcp";
  const remote = await roundTrip(rovoDev, { type: "streamable_http", url, headers: { A: "b" } }, {
    scope: "project",
  });
  assert.equal(remote["transport"], "http");
  await roundTrip(rovoDev, { type: "sse", url });
});
