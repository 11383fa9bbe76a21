import assert from "node:assert/strict";
import { join } from "node:path";
import type { ServerConfig } from "../../src/model/definition.ts";
import { copilotCli } from "../../src/sources/copilot_cli.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const USER = "home/.copilot/mcp-config.json";
const PROJECT = "home/work/project/.github/mcp.json";

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`what Copilot CLI itself writes is read on ${platform}`, async () => {
    await assertPlan({
      platform,
      sources: [copilotCli],
      env: { GH: "g", TOKEN: "t" },
      cwd: "src",
      files: {
        [USER]: {
          mcpServers: {
            local: {
              tools: ["*"],
              type: "local",
              command: "npx",
              args: ["-y", "server", "--token", "$TOKEN"],
              env: { A: "${GH}", B: "${NOPE:-default}", C: "GH", D: "plain text" },
              timeout: 5000,
            },
            remote: {
              tools: ["read_*"],
              excludeTools: ["read_secret"],
              type: "http",
              url: "https://h.example/mcp",
              headers: { Authorization: "Bearer ${TOKEN}" },
              displayName: "Remote",
              oauthClientId: "id",
            },
            events: { type: "sse", url: "https://h.example/sse", tools: ["*"] },
          },
        },
        [PROJECT]: { mcpServers: { docs: { command: "node", args: ["docs.js"], cwd: "tools" } } },
      },
    }, [
      {
        name: "local",
        state: "run",
        source: "copilot-cli",
        scope: "user",
        file: USER,
        config: {
          type: "stdio",
          command: "npx",
          args: ["-y", "server", "--token", "$TOKEN"],
          env: { A: "${GH}", B: "${NOPE:-default}", C: "${GH:-GH}", D: "plain text" },
          callTimeout: 5000,
        },
      },
      {
        name: "remote",
        state: "run",
        source: "copilot-cli",
        scope: "user",
        file: USER,
        config: {
          type: "streamable_http",
          url: "https://h.example/mcp",
          headers: { Authorization: "Bearer ${TOKEN}" },
          enabledTools: ["read_*"],
          disabledTools: ["read_secret"],
          oauth: { clientId: "id" },
        },
      },
      {
        name: "events",
        state: "run",
        source: "copilot-cli",
        scope: "user",
        file: USER,
        config: { type: "sse", url: "https://h.example/sse" },
      },
      {
        name: "docs",
        state: "untrusted",
        source: "copilot-cli",
        scope: "project",
        file: PROJECT,
        config: { type: "stdio", command: "node", args: ["docs.js"], cwd: "tools" },
      },
    ]);
  });
}

Deno.test("COPILOT_HOME moves the folder, the system's config folder does not", async () => {
  await using machine = await TempMachine.create();
  const server = (command: string): object => ({ mcpServers: { x: { command } } });
  await machine.write(USER, server("home"));
  await machine.write("moved/mcp-config.json", server("moved"));
  await machine.write("xdg/copilot/mcp-config.json", server("xdg"));
  const env = { XDG_CONFIG_HOME: join(machine.root, "xdg") };
  assert.equal(only(await machine.read(copilotCli, { env }), "x").config.command, "home");
  const moved = { ...env, COPILOT_HOME: join(machine.root, "moved") };
  assert.equal(only(await machine.read(copilotCli, { env: moved }), "x").config.command, "moved");
});

Deno.test("what the settings switch off is off, whatever file it stands in", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, { mcpServers: { a: { command: "a" }, b: { command: "b" } } });
  await machine.write(PROJECT, { mcpServers: { c: { command: "c" } } });
  await machine.write("home/.copilot/settings.json", { disabledMcpServers: ["a", "c"] });
  const reading = await machine.read(copilotCli);
  const isOff = (name: string): boolean => only(reading, name).config.enabled === false;
  assert.deepEqual(["a", "b", "c"].map(isOff), [true, false, true]);
  const [off] = only(reading, "a").switchedOffBy ?? [];
  assert.match(off?.remedy ?? "", /Take "a" out of "disabledMcpServers" in ".*settings\.json"/);
});

Deno.test("settings of Copilot's that cannot be parsed are told, with what counts until then", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, { mcpServers: { a: { command: "a" } } });
  assert.equal(report(await machine.read(copilotCli), "settings.json").state, "absent");
  await machine.write("home/.copilot/settings.json", '{ "disabledMcpServers": ["a" }');
  const { state, error } = report(await machine.read(copilotCli), "settings.json");
  assert.equal(state, "malformed");
  assert.equal(error?.hint, "Correct the file; until then what it switches off is on");
  await machine.write("home/.copilot/settings.json", "[]");
  const { error: list } = report(await machine.read(copilotCli), "settings.json");
  assert.equal(list?.hint, error?.hint);
  await machine.write("home/.copilot/settings.json", { disabledMcpServers: "a" });
  const odd = report(await machine.read(copilotCli), "settings.json");
  assert.deepEqual([odd.state, odd.warnings.length], ["loaded", 1]);
});

Deno.test("the project's file is not read beside a .mcp.json, and that is said", async () => {
  await using machine = await TempMachine.create();
  await machine.write(PROJECT, { mcpServers: { x: { command: "a" } } });
  await machine.write("home/work/project/sub/.mcp.json", { mcpServers: {} });
  assert.equal((await machine.read(copilotCli, { cwd: "sub" })).definitions.length, 1);
  await machine.write("home/work/project/.mcp.json", { mcpServers: {} });
  const reading = await machine.read(copilotCli, { cwd: "sub" });
  assert.deepEqual(reading.definitions, []);
  const { state, warnings } = report(reading, "project/.github/mcp.json");
  assert.equal(state, "off");
  assert.match(warnings.join(), /as ".*\/project\/\.mcp\.json" is there/);
});

Deno.test("a list of tools allows these alone, an empty one none", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, {
    mcpServers: {
      all: { command: "a", tools: ["*"] },
      some: { command: "a", tools: ["x"] },
      none: { command: "a", tools: [] },
      bad: { command: "a", tools: "*" },
    },
  });
  const reading = await machine.read(copilotCli);
  const tools = (name: string): unknown => only(reading, name).config.enabledTools;
  assert.deepEqual(["all", "some", "none"].map(tools), [undefined, ["x"], []]);
  assert.equal(only(reading, "bad").problems.length, 1);
  assert.deepEqual(only(reading, "all").warnings, []);
});

Deno.test("broken JSON is named with its line, and costs the other file nothing [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(USER, `{\n  "mcpServers": [\n`);
  await machine.write(PROJECT, { mcpServers: { x: { command: "a" }, bad: { args: [] } } });
  const reading = await machine.read(copilotCli);
  assert.deepEqual(reading.definitions.map(({ name }) => name), ["x", "bad"]);
  assert.match(report(reading, "mcp-config.json").error?.message ?? "", /line 3, column 1$/);
});

Deno.test("what is written for Copilot CLI is read back as it was", async () => {
  const configs: Readonly<Record<string, ServerConfig>> = {
    local: { type: "stdio", command: "npx", args: ["x"], cwd: "/w", env: { A: "${B}" } },
    remote: {
      type: "streamable_http",
      url: "https://h.example/mcp",
      headers: { A: "$B" },
      callTimeout: 1000,
      enabledTools: ["a"],
      disabledTools: ["b"],
    },
  };
  const format = copilotCli.writer?.format;
  assert.ok(format !== undefined);
  const written = Object.entries(configs).map(([name, config]) => {
    const { raw, problems, warnings } = writeEntry(name, config, format);
    assert.deepEqual([problems, warnings], [[], []]);
    return [name, raw] as const;
  });
  assert.deepEqual(written.map(([, raw]) => [raw["type"], raw["tools"], raw["timeout"]]), [
    ["local", ["*"], undefined],
    ["http", ["a"], 1000],
  ]);
  await using machine = await TempMachine.create();
  await machine.write(USER, { mcpServers: Object.fromEntries(written) });
  const reading = await machine.read(copilotCli);
  for (const [name, config] of Object.entries(configs)) {
    assert.deepEqual(only(reading, name).config, config);
  }
});
