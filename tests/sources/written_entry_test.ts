import assert from "node:assert/strict";
import type { ServerConfig } from "../../src/model/definition.ts";
import type { HostFormat } from "../../src/sources/host_format.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { writeEntry } from "../../src/sources/written_entry.ts";

const FORMATS: readonly HostFormat[] = SOURCES.flatMap(({ writer }) => writer?.format ?? [])
  .filter(({ spelling }) => spelling !== undefined);

function format(id: string): HostFormat {
  const found = FORMATS.find((one) => one.id === id);
  assert.ok(found !== undefined, id);
  return found;
}

/** Why a server is not written for an agent. */
function problems(id: string, config: ServerConfig): readonly string[] {
  return writeEntry("x", config, format(id)).problems.map(({ message }) => message);
}

Deno.test("a variable is taken away only where the file can say so, and else the server is refused", () => {
  const config: ServerConfig = { command: "a", env: { GONE: null, KEPT: "b" } };
  const able = FORMATS.filter(({ id }) => problems(id, config).length === 0).map(({ id }) => id);
  assert.deepEqual(able, ["store", "mcp-json", "vscode", "vscode-insiders", "vscodium"]);
  assert.deepEqual(problems("cursor", config), [
    'Cannot write this server: Cursor has no word for unsetting the variable "GONE"',
  ]);
});

Deno.test("a server that is off is so in its entry, by a list, or not without a word", () => {
  for (const one of FORMATS) {
    const how = one.spelling?.off;
    // A list in a file of its own is no part of what is written.
    const kind = how?.kind === "list" && how.file !== undefined ? undefined : how?.kind;
    const on = writeEntry("x", { command: "a" }, one);
    const off = writeEntry("x", { command: "a", enabled: false }, one);
    assert.deepEqual(
      [JSON.stringify(off.raw) !== JSON.stringify(on.raw), off.isListed, on.isListed],
      [kind === "key", kind === "list", false],
      one.id,
    );
    if (kind === undefined) assert.match(off.warnings.join(), /would be on there/, one.id);
  }
  const claude = writeEntry("x", { command: "a", enabled: false }, format("claude-code"));
  assert.deepEqual(claude.warnings, [
    "It is off in this project alone: Claude Code has no switch for all of them",
  ]);
});

Deno.test("what an agent would give the server otherwise is refused", () => {
  const env = (A: string): ServerConfig => ({ command: "a", env: { A } });
  assert.match(problems("gemini-cli", env("a\\$ b")).join(), /the backslash .* "env\.A"/);
  assert.deepEqual(problems("gemini-cli", { command: "a", args: ["a\\$ b"] }), []);
  assert.match(problems("qwen-code", env("${B:-c}")).join(), /the default of a variable/);
  assert.deepEqual(problems("qwen-code", env("${B}")), []);
  assert.match(problems("pi", { command: "a", args: ["~/b"] }).join(), /home folder/);
  assert.deepEqual(problems("pi", { command: "a", args: ["${userHome}/b", "a~/b"] }), []);
});

Deno.test("limits are written in the words and units of the agent", () => {
  const config: ServerConfig = { command: "a", startupTimeout: 5000, callTimeout: 7500 };
  const written = (id: string): unknown => writeEntry("x", config, format(id)).raw;
  assert.deepEqual(written("oh-my-pi"), { command: "a", timeout: 7500 });
  assert.deepEqual(written("cline"), { command: "a", timeout: 7.5 });
  assert.deepEqual(writeEntry("x", { command: "a", callTimeout: 200 }, format("cline")).raw, {
    command: "a",
    timeout: 1,
  });
});
