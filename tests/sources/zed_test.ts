import assert from "node:assert/strict";
import { zed } from "../../src/sources/zed.ts";
import { assertPlan, type GoldenRow, onMachine } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

/** Settings as Zed's users have them, with what JSON does not allow. */
const SETTINGS = `// Zed settings
{
  "theme": "One Dark",
  "agent": { "profiles": { "write": { "context_servers": { "x": { "tools": {} } } } } },
  "context_servers": {
    /* as newer versions write it */
    "memory": {
      "source": "custom",
      "enabled": true,
      "remote": false,
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      "env": null,
      "timeout": 90,
    },
    "older": {
      "command": { "path": "/opt/older", "args": ["--stdio"], "env": { "TOKEN": "\${NOT_EXPANDED}" } },
      "settings": {},
    },
    "linear": { "url": "https://mcp.linear.app/mcp", "headers": { "X-Team": "a" } },
    "off": { "enabled": false, "command": "off" },
  },
}
`;

const FILES = {
  linux: "home/.config/zed/settings.json",
  darwin: "home/.config/zed/settings.json",
  win32: "home/AppData/Roaming/Zed/settings.json",
} as const;

function userRows(file: string): readonly GoldenRow[] {
  const row = { state: "run", source: "zed", scope: "user", file } as const;
  return [
    {
      ...row,
      name: "memory",
      config: {
        type: "stdio",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-memory"],
        enabled: true,
        callTimeout: 90_000,
      },
    },
    {
      ...row,
      name: "older",
      config: {
        type: "stdio",
        command: "/opt/older",
        args: ["--stdio"],
        env: { TOKEN: "${NOT_EXPANDED}" },
      },
    },
    {
      ...row,
      name: "linear",
      config: { url: "https://mcp.linear.app/mcp", headers: { "X-Team": "a" } },
    },
    {
      ...row,
      name: "off",
      state: "disabled",
      config: { type: "stdio", command: "off", enabled: false },
    },
  ];
}

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the settings of Zed are read on ${platform}, with comments and commas [A32] [A33]`, async () => {
    await assertPlan({
      platform,
      sources: [zed],
      files: {
        [FILES[platform]]: SETTINGS,
        "home/work/project/.zed/settings.json": {
          tab_size: 2,
          context_servers: { docs: { command: "node", args: ["docs.js"] } },
        },
      },
      cwd: "src",
    }, [
      ...userRows(FILES[platform]),
      {
        name: "docs",
        state: "untrusted",
        source: "zed",
        scope: "project",
        file: "home/work/project/.zed/settings.json",
        config: { type: "stdio", command: "node", args: ["docs.js"] },
      },
    ]);
  });
}

Deno.test("Zed follows the variable for settings on Linux alone", async () => {
  const files = { "xdg/zed/settings.json": SETTINGS };
  const env = { XDG_CONFIG_HOME: "root:xdg" };
  await assertPlan(
    { platform: "linux", sources: [zed], files, env },
    userRows("xdg/zed/settings.json"),
  );
  await assertPlan({ platform: "darwin", sources: [zed], files, env }, []);
});

Deno.test("Zed's own words earn no warning", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/zed/settings.json", SETTINGS);
  const reading = await machine.read(zed);
  assert.deepEqual(reading.definitions.map(({ warnings }) => warnings), [[], [], [], []]);
  assert.deepEqual(report(reading, ".config/zed/settings.json").warnings, []);
});

Deno.test("an extension's server is listed as one that only Zed can start [A32]", async () => {
  await onMachine({
    platform: "linux",
    sources: [zed],
    files: {
      "home/.config/zed/settings.json": {
        context_servers: { postgres: { source: "extension", enabled: true, settings: { url: 1 } } },
      },
    },
  }, ({ plan }) => {
    const [server] = plan.servers;
    assert.equal(server?.verdict.state, "error");
    const problems = server?.definition?.problems ?? [];
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? "", /^Only Zed can start this server/);
  });
});

Deno.test("a bad entry of Zed costs only itself [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/zed/settings.json", {
    context_servers: { bad: { command: { args: ["a"] } }, good: { command: "a" } },
  });
  const reading = await machine.read(zed);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.match(only(reading, "bad").problems[0]?.message ?? "", /neither "command" nor "url"/);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("settings without servers say nothing, under another key they are named [A30]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.config/zed/settings.json", { theme: "a" });
  await machine.write("home/work/project/.zed/settings.json", {
    mcpServers: { x: { command: "a" } },
  });
  const reading = await machine.read(zed);
  assert.equal(report(reading, ".config/zed/settings.json").error, null);
  const { error } = report(reading, ".zed/settings.json");
  assert.match(error?.hint ?? "", /Rename "mcpServers" to "context_servers"/);
});

Deno.test("settings where macOS has those of others are a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/Library/Application Support/Zed/settings.json", {
    context_servers: { x: { command: "a" } },
  });
  const near = (await machine.read(zed, { platform: "darwin" })).reports
    .filter(({ state }) => state === "near-miss");
  assert.equal(near.length, 1);
});

Deno.test("what is written for Zed is read back the same", async () => {
  const raw = await roundTrip(zed, {
    type: "stdio",
    command: "npx",
    args: ["-y", "a"],
    env: { A: "b" },
    enabled: false,
    callTimeout: 2000,
  });
  assert.deepEqual([raw["timeout"], raw["enabled"], raw["type"]], [2, false, undefined]);
  await roundTrip(
    zed,
    { url: "https://example.com/mcp", headers: { A: "b" } },
    { scope: "project" },
  );
});
