import assert from "node:assert/strict";
import { mcpHub } from "../../src/sources/mcp_hub.ts";
import { assertPlan, planRows } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.config/mcphub/servers.json";
const PROJECT = "home/work/project/.mcphub/servers.json";

const USER_FILE = `{
  // Comments are allowed.
  "mcpServers": {
    "files": {
      "command": "\${RUNNER}",
      "args": ["\${userHome}", "$LEGACY", "$not one"],
      "env": {
        "API_KEY": "",
        "OTHER_KEY": null,
        "TOKEN": "\${cmd: pass show token}",
        "USER_ID": "\${env:HUB_USER}",
      },
      "disabled_tools": ["delete"],
      "autoApprove": ["read"],
      "custom_instructions": { "text": "t" },
      "dev": { "cwd": "/srv" },
    },
    "remote": { "url": "https://a.example/\${HUB_USER}", "autoApprove": true },
    "off": { "command": "off", "disabled": true },
  },
}`;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the files of mcp-hub are read on ${platform}`, async () => {
    const user = { source: "mcp-hub", scope: "user", file: FILE } as const;
    await assertPlan({
      platform,
      sources: [mcpHub],
      env: {
        RUNNER: "npx",
        LEGACY: "l",
        API_KEY: "a",
        OTHER_KEY: "o",
        HUB_USER: "me",
        XDG_CONFIG_HOME: "root:elsewhere",
      },
      files: {
        [FILE]: USER_FILE,
        [PROJECT]: { mcpServers: { lsp: { command: "lsp-mcp" } } },
      },
      cwd: "src",
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "${RUNNER}",
          args: ["${userHome}", "${LEGACY}", "$not one"],
          env: {
            API_KEY: "${env:API_KEY}",
            OTHER_KEY: "${env:OTHER_KEY}",
            TOKEN: "${cmd: pass show token}",
            USER_ID: "${env:HUB_USER}",
          },
          disabledTools: ["delete"],
          autoApprove: ["read"],
        },
      },
      {
        ...user,
        name: "remote",
        state: "run",
        config: { url: "https://a.example/${HUB_USER}" },
      },
      {
        ...user,
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        name: "lsp",
        state: "untrusted",
        source: "mcp-hub",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "lsp-mcp" },
      },
    ]);
  });
}

Deno.test("a variable without a value that the environment lacks is that server's error", async () => {
  const rows = await planRows({
    platform: "linux",
    sources: [mcpHub],
    files: { [FILE]: { mcpServers: { x: { command: "a", env: { UNSET_1: "" } } } } },
  });
  assert.deepEqual(rows.map(({ state }) => state), ["error"]);
});

Deno.test("files of editors are not mcp-hub's, though its plugin looks at them", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.vscode/mcp.json", { servers: { x: { command: "a" } } });
  await machine.write("home/work/project/.cursor/mcp.json", {
    mcpServers: { y: { command: "a" } },
  });
  assert.deepEqual((await machine.read(mcpHub)).definitions, []);
});

Deno.test("a bad entry of mcp-hub's costs itself, a broken file only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, "{ mcpServers: ");
  await machine.write(PROJECT, { mcpServers: { bad: { env: 5 }, good: { command: "a" } } });
  const reading = await machine.read(mcpHub);
  assert.match(report(reading, FILE).error?.message ?? "", /line 1, column \d+/);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("what is written for mcp-hub is read back the same", async () => {
  await roundTrip(mcpHub, {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "${B}", C: "${cmd: pass show c}" },
    cwd: "/srv",
    disabledTools: ["x"],
    autoApprove: ["y"],
    enabled: false,
  });
  const url = "https://a.example";
  await roundTrip(mcpHub, { url, headers: { A: "b" } }, { scope: "project" });
  await roundTrip(mcpHub, { type: "sse", url });
});
