import assert from "node:assert/strict";
import { claudeDesktop } from "../../src/sources/claude_desktop.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";
import { assertPlan } from "./golden.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const FILES = {
  linux: "home/.config/Claude/claude_desktop_config.json",
  darwin: "home/Library/Application Support/Claude/claude_desktop_config.json",
  win32: "home/AppData/Roaming/Claude/claude_desktop_config.json",
} as const;

const FILE = FILES.linux;

for (const platform of ["linux", "darwin", "win32"] as const) {
  Deno.test(`the file of Claude Desktop has its right name on ${platform} (mistake 2)`, async () => {
    await assertPlan({
      platform,
      sources: [claudeDesktop],
      files: {
        [FILES[platform]]: {
          globalShortcut: "Ctrl+Space",
          mcpServers: {
            "My files": { command: "npx", args: ["-y", "server", "/data"], env: { T: "${T}" } },
          },
        },
        // Settings of another kind, which some take for it.
        [FILES[platform].replace("claude_desktop_config", "settings")]: {
          mcpServers: { wrong: { command: "a" } },
        },
      },
    }, [{
      name: "My files",
      state: "run",
      source: "claude-desktop",
      scope: "user",
      file: FILES[platform],
      config: {
        type: "stdio",
        command: "npx",
        args: ["-y", "server", "/data"],
        // Its texts are literal.
        env: { T: "${T}" },
      },
    }]);
  });
}

Deno.test("the folders of the system can be moved", async () => {
  await using machine = await TempMachine.create();
  await machine.write("xdg/Claude/claude_desktop_config.json", {
    mcpServers: { a: { command: "a" } },
  });
  await machine.write("roaming/Claude/claude_desktop_config.json", {
    mcpServers: { b: { command: "b" } },
  });
  const linux = { env: { XDG_CONFIG_HOME: `${machine.root}/xdg` } };
  const windows = { platform: "win32", env: { APPDATA: `${machine.root}/roaming` } };
  assert.equal(only(await machine.read(claudeDesktop, linux), "a").config.command, "a");
  assert.equal(only(await machine.read(claudeDesktop, windows), "b").config.command, "b");
});

Deno.test("a folder in lower case is read on Linux alone", async () => {
  await using machine = await TempMachine.create();
  const path = await machine.write("home/.config/claude/claude_desktop_config.json", {
    mcpServers: { x: { command: "a" } },
  });
  assert.equal(only(await machine.read(claudeDesktop), "x").source.path, path);
  assert.deepEqual((await machine.read(claudeDesktop, { platform: "darwin" })).definitions, []);
});

Deno.test("a remote server is one problem that names the account's Connectors", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, {
    mcpServers: {
      remote: { type: "http", url: "https://h.example/mcp", headers: { A: "b" } },
      local: { command: "a" },
    },
  });
  const reading = await machine.read(claudeDesktop);
  const { problems, source } = only(reading, "remote");
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.hint ?? "", /Connectors of the Claude account/);
  assert.equal(source.line, 1);
  assert.deepEqual(only(reading, "local").problems, []);
});

Deno.test("settings without servers are plainly empty, broken ones are named [A10]", async () => {
  await using machine = await TempMachine.create();
  await machine.write(FILE, { globalShortcut: "" });
  const empty = report(await machine.read(claudeDesktop), "Claude/claude_desktop_config.json");
  assert.deepEqual([empty.state, empty.error], ["empty", null]);
  await machine.write(FILE, `{\n  "mcpServers": {`);
  const broken = report(await machine.read(claudeDesktop), "Claude/claude_desktop_config.json");
  assert.equal(broken.state, "malformed");
  assert.match(broken.error?.message ?? "", /line 2/);
});

Deno.test("the file in Claude Code's folder is a near miss [A45]", async () => {
  await using machine = await TempMachine.create();
  await machine.write("home/.claude/claude_desktop_config.json", { mcpServers: {} });
  const reading = await machine.read(claudeDesktop);
  const near = reading.reports.filter(({ state }) => state === "near-miss");
  assert.match(
    near[0]?.warnings.join() ?? "",
    /belong in ".*\/Claude\/claude_desktop_config\.json"/,
  );
});

Deno.test("what is written for Claude Desktop is read back as it was", async () => {
  const format = claudeDesktop.writer?.format;
  assert.ok(format !== undefined);
  const config = { type: "stdio", command: "npx", args: ["${x}"], env: { A: "b" } } as const;
  const { raw, problems } = writeEntry("x", config, format);
  assert.deepEqual([raw, problems], [{ command: "npx", args: ["${x}"], env: { A: "b" } }, []]);
  await using machine = await TempMachine.create();
  await machine.write(FILE, { mcpServers: { x: raw } });
  assert.deepEqual(only(await machine.read(claudeDesktop), "x").config, config);
  const remote = writeEntry("y", { url: "https://h.example" }, format);
  assert.match(remote.problems[0]?.message ?? "", /has no streamable_http servers in its file/);
});
