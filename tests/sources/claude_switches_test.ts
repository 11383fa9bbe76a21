import assert from "node:assert/strict";
import { claudeCode } from "../../src/sources/claude_code.ts";
import { only, report, TempMachine } from "./temp_machine.ts";

const HOME_FILE = "home/.claude.json";

Deno.test("servers that the user switched off for this folder are off", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, {
    mcpServers: { a: { command: "a" }, b: { command: "b" } },
    projects: { [machine.workspace]: { disabledMcpServers: ["a"] } },
  });
  const reading = await machine.read(claudeCode);
  assert.equal(only(reading, "a").config.enabled, false);
  const { switchedOffBy, warnings, source } = only(reading, "a");
  const keyPath = ["projects", machine.workspace, "disabledMcpServers"];
  const list = keyPath.join(".");
  assert.deepEqual(switchedOffBy, [{
    list,
    path: source.path,
    remedy: `Take "a" out of "${list}" in "${source.path}"`,
    undo: { kind: "items", scope: "user", keyPath, items: ["a"] },
  }]);
  assert.deepEqual(warnings, []);
  assert.notEqual(only(reading, "b").config.enabled, false);
});

Deno.test("where the file of early versions is left, the usual one is listed as off", async () => {
  await using machine = await TempMachine.create();
  await machine.write(HOME_FILE, { mcpServers: { x: { command: "usual" } } });
  await machine.write("home/.claude/.config.json", { mcpServers: { x: { command: "early" } } });
  const reading = await machine.read(claudeCode);
  assert.equal(only(reading, "x").config.command, "early");
  assert.equal(report(reading, HOME_FILE).state, "off");
});
