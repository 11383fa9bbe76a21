import assert from "node:assert/strict";
import { join } from "node:path";
import { store } from "../../src/sources/store.ts";
import { hotplugFolders } from "../../src/platform/folders.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

Deno.test("the store defines for the machine and inherits little", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/.config/hotplug/mcp.json", {
    mcpServers: { x: { type: "HTTP", url: "http://127.0.0.1:1/mcp" } },
  });
  const { source, config } = only(await machine.read(store), "x");
  assert.equal(config.type, "streamable_http");
  assert.deepEqual(source, {
    keyPath: ["mcpServers", "x"],
    id: "store",
    label: "Hotplug store",
    scope: "user",
    path,
    line: null,
    rank: 100,
    dialect: "hotplug",
    environment: "base",
    store: true,
  });
});

Deno.test("the workspace file switches servers of both stores", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/work/project/.hotplug/workspace.json", {
    enabledMcpServers: ["a", " b ", "a", ""],
    disabledMcpServers: ["c"],
    other: true,
  });
  const reading = await machine.read(store);
  assert.deepEqual(reading.switches, [{
    sourceId: "store",
    path,
    governs: ["store", "ai4j"],
    enabled: ["a", "b"],
    disabled: ["c"],
  }]);
  assert.deepEqual(
    [report(reading, "workspace.json").state, report(reading, "workspace.json").scope],
    ["loaded", "project"],
  );
});

Deno.test("the workspace file counts at the workspace root alone", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/sub/.hotplug/workspace.json", {
    enabledMcpServers: ["a"],
  });
  const reading = await machine.read(store, { cwd: "sub" });
  assert.deepEqual(reading.switches.map(({ path, enabled }) => [path, enabled]), [
    [join(machine.workspace, ".hotplug", "workspace.json"), []],
  ]);
});

Deno.test("lists that are no lists switch nothing and are warned about", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.hotplug/workspace.json", {
    enabledMcpServers: "a",
    disabledMcpServers: ["b", 7],
  });
  const reading = await machine.read(store);
  assert.deepEqual(reading.switches.map(({ enabled, disabled }) => [enabled, disabled]), [
    [[], ["b"]],
  ]);
  assert.deepEqual(report(reading, "workspace.json").warnings, [
    `"enabledMcpServers" must be an array of names, found a string; it is ignored`,
    `"disabledMcpServers" holds a number, which is no name; it is ignored`,
  ]);
});

Deno.test("a malformed workspace file is reported and still stands in the switches [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/work/project/.hotplug/workspace.json", "{");
  const reading = await machine.read(store);
  assert.equal(report(reading, "workspace.json").state, "malformed");
  assert.equal(reading.switches.length, 1);
});

Deno.test("servers beside the workspace file are a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/work/project/.hotplug/mcp.json", { mcpServers: {} });
  const near = report(await machine.read(store), ".hotplug/mcp.json");
  assert.equal(near.state, "near-miss");
  const belongs = join(machine.workspace, ".mcp.json");
  assert.deepEqual(near.warnings, [
    `Servers in "${path}" are not read; they belong in "${belongs}"`,
  ]);
});

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the store and the workspace file make one plan on ${platform} [A32]`, async () => {
    const file = "home/.config/hotplug/mcp.json";
    const row = { source: "store", scope: "user", file } as const;
    await assertPlan({
      platform,
      files: {
        [file]: {
          mcpServers: {
            db: { command: "db-mcp", args: ["${DB:-local}"] },
            docs: { type: "http", url: "https://h.example/mcp" },
          },
        },
        "home/work/project/.hotplug/workspace.json": { enabledMcpServers: ["db"] },
      },
    }, [
      {
        ...row,
        name: "db",
        // A file of the repository's enables it, and its user did not.
        state: "untrusted",
        config: { type: "stdio", command: "db-mcp", args: ["${DB:-local}"] },
      },
      {
        ...row,
        name: "docs",
        state: "disabled",
        config: { type: "streamable_http", url: "https://h.example/mcp" },
      },
    ]);
  });
}

Deno.test("on macOS the store lies among the settings of applications [A32]", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/Library/Application Support/hotplug/mcp.json", {
    mcpServers: { x: { command: "a" } },
  });
  const context = machine.context({ platform: "darwin" });
  const reading = await store.read({ ...context, folders: hotplugFolders(context.machine) });
  assert.equal(only(reading, "x").source.path, path);
});
