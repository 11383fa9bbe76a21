import assert from "node:assert/strict";
import { junie } from "../../src/sources/junie.ts";
import { assertPlan, type GoldenRow } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const USER_FILE = {
  mcpServers: {
    youtrack: {
      url: "https://example.youtrack.cloud/mcp",
      headers: { Authorization: "Bearer ${YOUTRACK_TOKEN}" },
    },
    files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"] },
  },
};

function userRows(file: string): readonly GoldenRow[] {
  const row = { state: "run", source: "junie", scope: "user", file } as const;
  return [
    { ...row, name: "youtrack", config: USER_FILE.mcpServers.youtrack },
    { ...row, name: "files", config: { type: "stdio", ...USER_FILE.mcpServers.files } },
  ];
}

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Junie are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [junie],
      env: { YOUTRACK_TOKEN: "t" },
      files: {
        "home/.junie/mcp/mcp.json": USER_FILE,
        "home/work/project/.junie/mcp/mcp.json": {
          mcpServers: { artisan: { command: "php", args: ["artisan", "boost:mcp"] } },
        },
      },
      cwd: "src",
    }, [
      ...userRows("home/.junie/mcp/mcp.json"),
      {
        name: "artisan",
        state: "untrusted",
        source: "junie",
        scope: "project",
        file: "home/work/project/.junie/mcp/mcp.json",
        config: { type: "stdio", command: "php", args: ["artisan", "boost:mcp"] },
      },
    ]);
  });
}

Deno.test("JUNIE_HOME moves Junie's folder", async () => {
  await assertPlan({
    platform: "linux",
    sources: [junie],
    env: { YOUTRACK_TOKEN: "t", JUNIE_HOME: "root:moved" },
    files: { "moved/mcp/mcp.json": USER_FILE },
  }, userRows("moved/mcp/mcp.json"));
});

Deno.test("a bad entry costs only itself, and a file one folder too high is a near miss [A05] [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.junie/mcp/mcp.json", {
    mcpServers: { bad: { command: ["a", 5] }, worse: null, good: { command: "a" } },
  });
  await machine.write("home/work/project/.junie/mcp.json", { mcpServers: {} });
  const reading = await machine.read(junie);
  assert.equal(only(reading, "worse").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
  assert.equal(report(reading, "project/.junie/mcp.json").state, "near-miss");
});

Deno.test("what is written for Junie is read back the same", async () => {
  await roundTrip(junie, { type: "stdio", command: "npx", args: ["-y", "a"], env: { A: "b" } });
  await roundTrip(
    junie,
    { url: "https://example.com/mcp", headers: { A: "b" } },
    { scope: "project" },
  );
});
