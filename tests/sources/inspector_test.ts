import assert from "node:assert/strict";
import { inspector } from "../../src/sources/inspector.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.mcp-inspector/mcp.json";

const USER_FILE = {
  mcpServers: {
    "files": {
      type: "stdio",
      command: "node",
      args: ["build/index.js", "${LITERAL}"],
      env: { A: "$B" },
      cwd: "/srv",
      connectionTimeout: 5_000,
      requestTimeout: 9_000,
      roots: [{ uri: "file:///srv" }],
      taskTtl: 1,
    },
    "modern": {
      type: "streamable-http",
      url: "https://a.example/mcp",
      headers: { A: "b" },
      protocolEra: "modern",
      modernLogLevel: "info",
    },
    "old": { type: "sse", url: "https://a.example/sse", requestInit: { headers: { C: "d" } } },
  },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the Inspector's list is read on ${platform}`, async () => {
    const user = { state: "run", source: "inspector", scope: "user", file: FILE } as const;
    await assertPlan({ platform, sources: [inspector], files: { [FILE]: USER_FILE } }, [
      {
        ...user,
        name: "files",
        config: {
          type: "stdio",
          command: "node",
          args: ["build/index.js", "${LITERAL}"],
          env: { A: "$B" },
          cwd: "/srv",
          startupTimeout: 5_000,
          callTimeout: 9_000,
        },
      },
      {
        ...user,
        name: "modern",
        config: {
          type: "streamable_http",
          url: "https://a.example/mcp",
          headers: { A: "b" },
          protocol: "2026-07-28",
        },
      },
      {
        ...user,
        name: "old",
        config: { type: "sse", url: "https://a.example/sse", headers: { C: "d" } },
      },
    ]);
  });
}

Deno.test("a variable names the Inspector's list, a bad entry costs itself [A05]", async () => {
  await using machine = await TempMachine.create();
  const named = await machine.write("list.json", {
    mcpServers: { bad: { type: "ws", url: "wss://a" }, good: { command: "a" } },
  });
  const reading = await machine.read(inspector, { env: { MCP_CATALOG_PATH: named } });
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
  await machine.write("list.json", '{\n"mcpServers"\n}');
  const broken = await machine.read(inspector, { env: { MCP_CATALOG_PATH: named } });
  assert.match(report(broken, "list.json").error?.message ?? "", /line \d, column \d+/);
});

Deno.test("what is written for the Inspector is read back the same", async () => {
  await roundTrip(inspector, {
    type: "stdio",
    command: "a",
    args: ["${LITERAL}"],
    env: { A: "b" },
    cwd: "/srv",
    startupTimeout: 1_000,
    callTimeout: 2_000,
  });
  const url = "https://a.example";
  const raw = await roundTrip(inspector, {
    type: "streamable_http",
    url,
    headers: { A: "b" },
    protocol: "2026-07-28",
  });
  assert.equal(raw["protocolEra"], "modern");
  await roundTrip(inspector, { type: "sse", url, protocol: "auto" });
});
