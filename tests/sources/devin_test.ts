import assert from "node:assert/strict";
import { join } from "node:path";
import { devin } from "../../src/sources/devin.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const PROJECT = "home/work/project/.devin";
const FOLDERS = {
  linux: "home/.config/devin",
  darwin: "home/.config/devin",
  win32: "home/AppData/Roaming/devin",
} as const;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of Devin are read on ${platform}`, async () => {
    const folder = FOLDERS[platform];
    const file = `${folder}/mcp_config.json`;
    const user = { source: "devin", scope: "user" } as const;
    const project = { source: "devin", scope: "project", state: "untrusted" } as const;
    await assertPlan({
      platform,
      sources: [devin],
      env: { KEY: "k" },
      files: {
        [file]: {
          mcpServers: {
            docs: { command: "npx", args: ["-y", "docs"], env: { KEY: "${env:KEY}" } },
            linear: { url: "https://mcp.linear.app/mcp", transport: "http", oauthClientId: "id" },
            older: { serverUrl: "https://a.example/sse", transport: "sse" },
            off: { command: "off", disabled: true },
          },
        },
        [`${folder}/config.json`]: `{
          // settings of all kinds
          "theme_mode": null,
          "mcpServers": { "legacy": { "command": "legacy" }, "docs": { "command": "other" } },
        }`,
        [`${PROJECT}/mcp_config.local.json`]: { mcpServers: { shared: { command: "mine" } } },
        [`${PROJECT}/mcp_config.json`]: {
          mcpServers: { shared: { command: "ours" }, team: { command: "team" } },
        },
        [`${PROJECT}/config.json`]: { permissions: {}, mcpServers: { old: { command: "old" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "docs",
        state: "run",
        file,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "docs"],
          env: { KEY: "${env:KEY}" },
        },
      },
      {
        ...user,
        name: "linear",
        state: "run",
        file,
        config: { url: "https://mcp.linear.app/mcp", oauth: { clientId: "id" } },
      },
      {
        ...user,
        name: "older",
        state: "run",
        file,
        config: { type: "sse", url: "https://a.example/sse" },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        file,
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "legacy",
        state: "run",
        file: `${folder}/config.json`,
        config: { type: "stdio", command: "legacy" },
      },
      {
        ...project,
        name: "shared",
        file: `${PROJECT}/mcp_config.local.json`,
        config: { type: "stdio", command: "mine" },
      },
      {
        ...project,
        name: "team",
        file: `${PROJECT}/mcp_config.json`,
        config: { type: "stdio", command: "team" },
      },
      {
        ...project,
        name: "old",
        file: `${PROJECT}/config.json`,
        config: { type: "stdio", command: "old" },
      },
    ]);
  });
}

Deno.test("bad entries and files of Devin cost only themselves [A05] [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(`${PROJECT}/mcp_config.json`, '{"mcpServers":');
  await machine.write("xdg/devin/mcp_config.json", {
    mcpServers: { bad: { transport: "pigeon", url: "https://a.example" }, good: { command: "a" } },
  });
  await machine.write("xdg/devin/config.json", { theme_mode: null });
  const reading = await machine.read(devin, {
    env: { XDG_CONFIG_HOME: join(machine.root, "xdg") },
  });
  assert.equal(report(reading, "xdg/devin/mcp_config.json").servers, 2);
  assert.match(report(reading, `${PROJECT}/mcp_config.json`).error?.message ?? "", /line 1/);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.deepEqual(only(reading, "good").problems, []);
  const settings = report(reading, "xdg/devin/config.json");
  assert.deepEqual([settings.state, settings.error], ["empty", null]);
});

Deno.test("what is written for Devin is read back the same", async () => {
  const program = { type: "stdio", command: "npx", args: ["x"], env: { A: "${env:B}" } } as const;
  await roundTrip(devin, { ...program, enabled: false });
  const url = "https://a.example/sse";
  await roundTrip(devin, { url, headers: { A: "b" } }, { scope: "project" });
  assert.deepEqual(await roundTrip(devin, { type: "sse", url }, { platform: "win32" }), {
    transport: "sse",
    url,
  });
});
