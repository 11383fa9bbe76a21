import assert from "node:assert/strict";
import { join } from "node:path";
import { qoder } from "../../src/sources/qoder.ts";
import { assertPlan } from "./golden.ts";
import { roundTrip } from "./round_trip.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILE = "home/.qoder/settings.json";
const PROJECT = "home/work/project/.qoder/settings.json";
const LOCAL = "home/work/project/.qoder/settings.local.json";

const USER_FILE = {
  theme: "dark",
  mcpServers: {
    files: {
      command: "npx",
      args: ["files-mcp", "$FILES_DIR", "${LEVEL:-info}"],
      env: { T: "${FILES_TOKEN}" },
      timeout: 5_000,
      includeTools: ["read"],
      trust: true,
    },
    remote: { url: "https://a.example/mcp", type: "http", headers: { A: "b" } },
    off: { command: "off", disabled: true },
    excluded: { httpUrl: "https://b.example/mcp" },
  },
  mcp: { excluded: ["excluded"] },
};

for (const platform of ["linux", "darwin", "win32"] as const) {
  const editor = platform === "win32"
    ? "home/AppData/Roaming/Qoder/SharedClientCache/mcp.json"
    : "home/.qoder/mcp.json";
  Deno.test(`the files of Qoder are read on ${platform}`, async () => {
    const user = { source: "qoder", scope: "user", file: FILE } as const;
    const project = { state: "untrusted", source: "qoder", scope: "project" } as const;
    await assertPlan({
      platform,
      sources: [qoder],
      env: { FILES_DIR: "/d", FILES_TOKEN: "t" },
      files: {
        [FILE]: USER_FILE,
        [editor]: { mcpServers: { inEditor: { command: "editor-mcp" } } },
        [PROJECT]: { mcpServers: { a: { command: "a" }, b: { command: "b" } } },
        [LOCAL]: { mcpServers: { b: { command: "local-b" } } },
      },
    }, [
      {
        ...user,
        name: "files",
        state: "run",
        config: {
          type: "stdio",
          command: "npx",
          args: ["files-mcp", "$FILES_DIR", "${LEVEL:-info}"],
          env: { T: "${FILES_TOKEN}" },
          startupTimeout: 5_000,
          callTimeout: 5_000,
          enabledTools: ["read"],
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
        name: "off",
        state: "disabled",
        config: { type: "stdio", command: "off", enabled: false },
      },
      {
        ...user,
        name: "excluded",
        state: "disabled",
        config: { type: "streamable_http", url: "https://b.example/mcp", enabled: false },
      },
      {
        ...user,
        name: "inEditor",
        state: "run",
        file: editor,
        config: { type: "stdio", command: "editor-mcp" },
      },
      { ...project, name: "a", file: PROJECT, config: { type: "stdio", command: "a" } },
      { ...project, name: "b", file: LOCAL, config: { type: "stdio", command: "local-b" } },
    ]);
  });
}

Deno.test("the editor's file is told to be unconfirmed, those of the command line are not", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.qoder/mcp.json", { mcpServers: { x: { command: "a" } } });
  const reading = await machine.read(qoder);
  assert.equal(report(reading, ".qoder/mcp.json").confirmed, false);
  assert.equal(report(reading, "home/.qoder/settings.json").confirmed, undefined);
});

Deno.test("a variable moves Qoder's settings, broken ones are told with their place [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("moved/settings.json", '{ "mcpServers": { "x": { "command": "a" } } }');
  await machine.write(PROJECT, "{\n");
  const env = { QODER_CONFIG_DIR: join(machine.root, "moved") };
  const reading = await machine.read(qoder, { env });
  assert.equal(only(reading, "x").config.command, "a");
  assert.match(report(reading, PROJECT).error?.message ?? "", /line 2, column \d+/);
});

Deno.test("what is written for Qoder is read back the same", async () => {
  const program = {
    type: "stdio",
    command: "a",
    args: ["b"],
    env: { A: "$B" },
    cwd: "/srv",
    enabledTools: ["x"],
    enabled: false,
  } as const;
  const raw = await roundTrip(qoder, { ...program, startupTimeout: 1_000, callTimeout: 2_000 }, {
    expected: { ...program, startupTimeout: 2_000, callTimeout: 2_000 },
  });
  assert.equal(raw["timeout"], 2_000);
  const url = "https://a.example";
  await roundTrip(qoder, { type: "streamable_http", url, headers: { A: "b" } }, {
    scope: "project",
  });
  await roundTrip(qoder, { type: "sse", url });
});
