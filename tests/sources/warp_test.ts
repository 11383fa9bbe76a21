import assert from "node:assert/strict";
import { warp } from "../../src/sources/warp.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, TempMachine } from "./temp_machine.ts";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Warp are read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [warp],
      env: { GITHUB_TOKEN: "t" },
      files: {
        "home/.warp/.mcp.json": {
          mcpServers: {
            github: {
              description: "Issues and pull requests",
              command: "npx",
              args: ["-y", "@modelcontextprotocol/server-github"],
              env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${GITHUB_TOKEN}" },
              working_directory: "/srv/github",
            },
            linear: { serverUrl: "https://mcp.linear.app/mcp", headers: { "X-Team": "a" } },
          },
        },
        "home/.agents/.mcp.json": { mcpServers: { shared: { url: "https://example.com/mcp" } } },
        "home/work/project/.warp/.mcp.json": {
          mcpServers: { docs: { command: "node", args: ["docs.js"] } },
        },
      },
      cwd: "src",
    }, [
      {
        name: "github",
        state: "run",
        source: "warp",
        scope: "user",
        file: "home/.warp/.mcp.json",
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "@modelcontextprotocol/server-github"],
          env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${GITHUB_TOKEN}" },
          cwd: "/srv/github",
          description: "Issues and pull requests",
        },
      },
      {
        name: "linear",
        state: "run",
        source: "warp",
        scope: "user",
        file: "home/.warp/.mcp.json",
        config: { url: "https://mcp.linear.app/mcp", headers: { "X-Team": "a" } },
      },
      {
        name: "shared",
        state: "run",
        source: "warp",
        scope: "user",
        file: "home/.agents/.mcp.json",
        config: { url: "https://example.com/mcp" },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "warp",
        scope: "project",
        file: "home/work/project/.warp/.mcp.json",
        config: { type: "stdio", command: "node", args: ["docs.js"] },
      },
    ]);
  });
}

Deno.test("Warp's own words earn no warning, and a bad entry costs only itself [A05] [A12]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.warp/.mcp.json", {
    mcpServers: {
      a: { command: "a", working_directory: "/b" },
      b: { serverUrl: "https://example.com/mcp" },
      bad: { args: ["c"] },
    },
  });
  const reading = await machine.read(warp);
  for (const name of ["a", "b"]) assert.deepEqual(only(reading, name).warnings, []);
  assert.equal(only(reading, "bad").problems.length, 1);
});

Deno.test("what is written for Warp is read back the same", async () => {
  const raw = await roundTrip(warp, {
    type: "stdio",
    command: "npx",
    args: ["a"],
    env: { A: "${B}" },
    cwd: "/c",
  }, { scope: "project" });
  assert.equal(raw["working_directory"], "/c");
  const remote = await roundTrip(warp, { url: "https://example.com/mcp", headers: { A: "b" } });
  assert.equal(remote["url"], "https://example.com/mcp");
});
