import assert from "node:assert/strict";
import { jetbrainsAi } from "../../src/sources/jetbrains_ai.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of JetBrains' AI Assistant are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [jetbrainsAi],
      env: { API_TOKEN: "t" },
      files: {
        "home/.ai/mcp/mcp.json": {
          mcpServers: {
            filesystem: {
              command: "npx",
              args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"],
              env: { TOKEN: "${API_TOKEN}" },
            },
          },
        },
        "home/work/project/.ai/mcp/mcp.json": {
          mcpServers: { youtrack: { url: "https://example.com/mcp", headers: { A: "b" } } },
        },
      },
      cwd: "src",
    }, [
      {
        name: "filesystem",
        state: "run",
        source: "jetbrains-ai",
        scope: "user",
        file: "home/.ai/mcp/mcp.json",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"],
          env: { TOKEN: "${API_TOKEN}" },
        },
      },
      {
        name: "youtrack",
        state: "untrusted",
        source: "jetbrains-ai",
        scope: "project",
        file: "home/work/project/.ai/mcp/mcp.json",
        config: { url: "https://example.com/mcp", headers: { A: "b" } },
      },
    ]);
  });
}

Deno.test("an empty file is empty, and a bad entry costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.ai/mcp/mcp.json", "");
  await machine.write("home/.ai/mcp/mcp.json", {
    mcpServers: { bad: { command: "" }, good: { command: "a" } },
  });
  const reading = await machine.read(jetbrainsAi);
  assert.equal(report(reading, "project/.ai/mcp/mcp.json").state, "empty");
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for JetBrains' AI Assistant is read back the same", async () => {
  await roundTrip(jetbrainsAi, { type: "stdio", command: "npx", args: ["a"], env: { A: "b" } });
  await roundTrip(
    jetbrainsAi,
    { url: "https://example.com/mcp", headers: { A: "b" } },
    { scope: "project" },
  );
});
