import assert from "node:assert/strict";
import { deepagents } from "../../src/sources/deepagents.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.deepagents/.mcp.json";
const SETTINGS = "home/.deepagents/config.toml";
const PROJECT = "home/work/project/.deepagents/.mcp.json";

const USER_FILE = {
  mcpServers: {
    files: {
      command: "npx",
      args: ["files-mcp"],
      env: { T: "${FILES_T:-none}" },
      allowedTools: ["read_*"],
    },
    remote: { transport: "http", url: "https://a.example/mcp", headers: { A: "b" } },
    old: { type: "sse", url: "https://a.example/sse", disabledTools: ["x"] },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Deep Agents Code are read on ${platform}, with what is off`, async () => {
    const user = { source: "deepagents", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [deepagents],
      files: {
        [FILE]: USER_FILE,
        [SETTINGS]: '[mcp]\ndisabled_servers = ["old"]\n\n[mcp_disabled]\nservers = ["docs"]\n',
        [PROJECT]: { mcpServers: { docs: { command: "docs-mcp" } } },
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
          env: { T: "${FILES_T:-none}" },
          enabledTools: ["read_*"],
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
        config: {
          type: "sse",
          url: "https://a.example/sse",
          disabledTools: ["x"],
          enabled: false,
        },
      },
      {
        name: "docs",
        state: "disabled",
        source: "deepagents",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "docs-mcp", enabled: false },
      },
    ]);
  });
}

Deno.test("broken settings of Deep Agents Code are told with their place [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, USER_FILE);
  await machine.write(SETTINGS, "[mcp]\ndisabled_servers = [\n");
  const reading = await machine.read(deepagents);
  assert.match(report(reading, SETTINGS).error?.message ?? "", /line \d+, column \d+/);
  assert.equal(reading.definitions.length, 3);
});

Deno.test("a file without the dot is a near miss, a bad entry costs itself [A05] [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.deepagents/mcp.json", USER_FILE);
  await machine.write(PROJECT, { mcpServers: { bad: { type: "sse" }, good: { command: "a" } } });
  const reading = await machine.read(deepagents);
  assert.equal(report(reading, ".deepagents/mcp.json").state, "near-miss");
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for Deep Agents Code is read back the same", async () => {
  await roundTrip(deepagents, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B:-c}" },
    enabledTools: ["x"],
  });
  const url = "https://a.example";
  await roundTrip(deepagents, { type: "streamable_http", url, headers: { A: "b" } }, {
    scope: "project",
  });
  await roundTrip(deepagents, { type: "sse", url, disabledTools: ["x"], auth: "oauth" });
});

Deno.test("what would make Deep Agents Code refuse its file is not written", () => {
  const format = deepagents.writer?.format;
  assert.ok(format !== undefined);
  const both = { command: "a", enabledTools: ["a"], disabledTools: ["b"] };
  assert.equal(writeEntry("x", both, format).problems.length, 1);
  assert.equal(writeEntry("a.b", { command: "a" }, format).problems.length, 1);
  const empty = writeEntry("x", { command: "a", disabledTools: [] }, format);
  assert.deepEqual([empty.raw, empty.problems], [{ command: "a" }, []]);
});
