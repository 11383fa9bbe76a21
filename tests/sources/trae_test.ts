import assert from "node:assert/strict";
import { trae } from "../../src/sources/trae.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, TempMachine } from "./temp_machine.ts";

const FOLDERS = {
  linux: "home/.config",
  darwin: "home/Library/Application Support",
  win32: "home/AppData/Roaming",
} as const;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of both editions of Trae are read on ${platform}`, async () => {
    const file = `${FOLDERS[platform]}/Trae/User/mcp.json`;
    const other = `${FOLDERS[platform]}/Trae CN/User/mcp.json`;
    await assertPlan({
      platform,
      sources: [trae],
      env: { MAP_KEY: "k" },
      files: {
        [file]: {
          mcpServers: {
            Puppeteer: {
              command: "npx",
              args: ["-y", "@modelcontextprotocol/server-puppeteer"],
              env: {},
              fromGalleryId: "modelcontextprotocol.servers_puppeteer",
            },
          },
          inputs: [],
        },
        [other]: {
          mcpServers: { map: { url: "https://example.com/mcp", headers: { Key: "${MAP_KEY}" } } },
        },
        "home/work/project/.trae/mcp.json": {
          mcpServers: { docs: { command: "node", args: ["${workspaceFolder}/docs.js"] } },
        },
      },
      cwd: "src",
    }, [
      {
        name: "Puppeteer",
        state: "run",
        source: "trae",
        scope: "user",
        file,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "@modelcontextprotocol/server-puppeteer"],
          env: {},
        },
      },
      {
        name: "map",
        state: "run",
        source: "trae",
        scope: "user",
        file: other,
        config: { url: "https://example.com/mcp", headers: { Key: "${MAP_KEY}" } },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "trae",
        scope: "project",
        file: "home/work/project/.trae/mcp.json",
        config: { type: "stdio", command: "node", args: ["${workspaceFolder}/docs.js"] },
      },
    ]);
  });
}

Deno.test("a bad entry of Trae costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/Trae/User/mcp.json", {
    mcpServers: { bad: "npx", good: { command: "a", fromGalleryId: "b" } },
  });
  const reading = await machine.read(trae);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual([only(reading, "good").problems, only(reading, "good").warnings], [[], []]);
});

Deno.test("what is written for Trae is read back the same", async () => {
  await roundTrip(trae, { type: "stdio", command: "npx", args: ["-y", "a"], env: { A: "b" } });
  await roundTrip(
    trae,
    { url: "https://example.com/mcp", headers: { A: "b" } },
    { scope: "project" },
  );
});
