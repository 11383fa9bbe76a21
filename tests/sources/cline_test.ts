import assert from "node:assert/strict";
import { join } from "node:path";
import { cline } from "../../src/sources/cline.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const CLI = "home/.cline/data/settings/cline_mcp_settings.json";
const IN_EDITOR = "User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";

Deno.test("the extension's file is found in every editor of every system", async () => {
  const layouts = [
    { platform: "linux", folder: "home/.config", env: {} },
    { platform: "linux", folder: "xdg", env: { XDG_CONFIG_HOME: "xdg" } },
    { platform: "darwin", folder: "home/Library/Application Support", env: {} },
    { platform: "win32", folder: "home/AppData/Roaming", env: {} },
    { platform: "win32", folder: "roaming", env: { APPDATA: "roaming" } },
  ];
  for (const { platform, folder, env } of layouts) {
    for (const editor of ["Code", "Code - Insiders", "Cursor", "Windsurf", "VSCodium"]) {
      await using machine = await TempMachine.create();
      const path = await machine.write(`${folder}/${editor}/${IN_EDITOR}`, {
        mcpServers: { x: { command: "a" } },
      });
      const absolute = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, join(machine.root, value)]),
      );
      const { source } = only(await machine.read(cline, { platform, env: absolute }), "x");
      assert.deepEqual([source.path, source.scope, source.rank, source.dialect], [
        path,
        "user",
        45,
        "env-colon",
      ]);
    }
  }
});

Deno.test("the command line's file comes first and can be moved", async () => {
  await using machine = await TempMachine.create();
  const servers = (command: string): object => ({ mcpServers: { x: { command } } });
  await machine.write(CLI, servers("default"));
  await machine.write("dir/data/settings/cline_mcp_settings.json", servers("dir"));
  await machine.write("data/settings/cline_mcp_settings.json", servers("data"));
  const named = await machine.write("named.json", servers("named"));
  await machine.write(`home/.config/Code/${IN_EDITOR}`, servers("editor"));
  const dirs = { CLINE_DIR: join(machine.root, "dir") };
  const data = { ...dirs, CLINE_DATA_DIR: join(machine.root, "data") };
  for (
    const [env, first] of [
      [{}, "default"],
      [dirs, "dir"],
      [data, "data"],
      [{ ...data, CLINE_MCP_SETTINGS_PATH: named }, "named"],
    ] as const
  ) {
    const reading = await machine.read(cline, { env });
    assert.deepEqual(reading.definitions.map(({ config }) => config.command), [first, "editor"]);
  }
});

Deno.test("flat, nested and old spellings of the transport mean the same [A12]", async () => {
  await using machine = await TempMachine.create();
  const url = "http://127.0.0.1:1/mcp";
  await machine.write(CLI, {
    mcpServers: {
      flat: { type: "streamableHttp", url },
      nested: { transport: { type: "streamableHttp", url, headers: { A: "b" } } },
      old: { transportType: "http", url },
      bare: { url },
      program: { command: "a" },
      nestedProgram: { transport: { type: "stdio", command: "a", args: ["b"] }, disabled: true },
    },
  });
  const reading = await machine.read(cline);
  for (const { name, problems, warnings } of reading.definitions) {
    assert.deepEqual([name, problems, warnings], [name, [], []]);
  }
  assert.equal(only(reading, "flat").config.type, "streamable_http");
  assert.equal(only(reading, "nested").config.type, "streamable_http");
  assert.deepEqual(only(reading, "nested").config.headers, { A: "b" });
  assert.equal(only(reading, "old").config.type, "streamable_http");
  assert.equal(only(reading, "bare").config.type, "sse");
  assert.equal(only(reading, "program").config.type ?? "stdio", "stdio");
  assert.deepEqual(only(reading, "nestedProgram").config.args, ["b"]);
  assert.equal(only(reading, "nestedProgram").config.enabled, false);
});

Deno.test("timeouts are seconds of one call, from 1 to 3600", async () => {
  await using machine = await TempMachine.create();
  const timeouts = { a: 90, b: 0, c: 99999, d: "60", e: 0.5 };
  await machine.write(CLI, {
    mcpServers: Object.fromEntries(
      Object.entries(timeouts).map(([name, timeout]) => [name, { command: "a", timeout }]),
    ),
  });
  const reading = await machine.read(cline);
  assert.deepEqual(reading.definitions.map(({ config }) => config.callTimeout), [
    90_000,
    1000,
    3_600_000,
    undefined,
    1000,
  ]);
  assert.ok(reading.definitions.every(({ config }) => config.startupTimeout === undefined));
});

Deno.test("approvals and the client's identity are kept, Cline's own tokens are not", async () => {
  await using machine = await TempMachine.create();
  await machine.write(CLI, {
    mcpServers: {
      x: {
        command: "a",
        autoApprove: ["read"],
        oauthClient: { clientId: "id" },
        oauth: { accessToken: "secret-token" },
        metadata: { from: "market" },
        remoteConfigured: true,
      },
    },
  });
  const definition = only(await machine.read(cline), "x");
  assert.deepEqual(definition.config.autoApprove, ["read"]);
  assert.deepEqual(definition.config.oauth, { clientId: "id" });
  assert.deepEqual(definition.warnings, []);
  assert.ok(!JSON.stringify(definition).includes("secret-token"));
});

Deno.test("a bad entry does not cost its siblings, as it does in Cline [A05]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(CLI, {
    mcpServers: { bad: { type: "carrier-pigeon" }, good: { command: "a" } },
  });
  const reading = await machine.read(cline);
  assert.notEqual(only(reading, "bad").problems.length, 0);
  assert.deepEqual(only(reading, "good").problems, []);
});

Deno.test("an empty file means no servers", async () => {
  await using machine = await TempMachine.create();
  await machine.write(CLI, "");
  assert.equal(
    report(await machine.read(cline), ".cline/data/settings/cline_mcp_settings.json").state,
    "empty",
  );
});

Deno.test("the command line knows no variables, the extension does", async () => {
  await using machine = await TempMachine.create();
  const file = { mcpServers: { x: { command: "a", env: { T: "${env:T}" } } } };
  await machine.write("home/.cline/data/settings/cline_mcp_settings.json", file);
  await machine.write(
    "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    file,
  );
  const { definitions } = await machine.read(cline);
  assert.deepEqual(definitions.map(({ source }) => source.dialect), ["literal", "env-colon"]);
});

for (
  const { platform, folder } of [
    { platform: "linux", folder: "home/.config" },
    { platform: "darwin", folder: "home/Library/Application Support" },
    { platform: "win32", folder: "home/AppData/Roaming" },
  ] as const
) {
  Deno.test(`both files of Cline make one plan on ${platform} [A32]`, async () => {
    const row = { state: "run", source: "cline", scope: "user" } as const;
    const editor = `${folder}/Code/${IN_EDITOR}`;
    await assertPlan({
      platform,
      files: {
        [CLI]: { mcpServers: { both: { command: "cli" } } },
        [editor]: {
          mcpServers: {
            both: { command: "editor" },
            db: { command: "db-mcp", env: { KEY: "${env:DB_KEY}" }, timeout: 5 },
            docs: {
              type: "streamableHttp",
              url: "https://h.example/mcp",
              headers: { A: "b" },
              autoApprove: ["search"],
            },
            idle: { url: "https://h.example/sse", disabled: true },
          },
        },
      },
      env: { DB_KEY: "k" },
    }, [
      { ...row, name: "both", file: CLI, config: { type: "stdio", command: "cli" } },
      {
        ...row,
        name: "db",
        file: editor,
        config: {
          type: "stdio",
          command: "db-mcp",
          env: { KEY: "${env:DB_KEY}" },
          callTimeout: 5000,
        },
      },
      {
        ...row,
        name: "docs",
        file: editor,
        config: {
          type: "streamable_http",
          url: "https://h.example/mcp",
          headers: { A: "b" },
          autoApprove: ["search"],
        },
      },
      {
        ...row,
        name: "idle",
        file: editor,
        state: "disabled",
        config: { type: "sse", url: "https://h.example/sse", enabled: false },
      },
    ]);
  });
}
