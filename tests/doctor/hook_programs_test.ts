import assert from "node:assert/strict";
import { hookProgramFindings } from "../../src/doctor/hook_programs.ts";
import { sourceFileFindings } from "../../src/doctor/source_files.ts";
import type { HookProgram } from "../../src/model/hook_program.ts";
import { APPROVE_HOOKS } from "../../src/plan/hook_files.ts";
import { machineOf, makeTempHome } from "../harness/temp_home.ts";

const PROGRAM: HookProgram = {
  event: "before-call",
  command: "sh",
  args: [],
  cwd: "/",
  env: {},
  timeoutMs: 1,
  onError: "deny",
  scope: "user",
  path: "/home/me/settings.json",
  line: 3,
  servers: null,
  tools: null,
};

Deno.test("a hook whose program is not there is an error where it stops calls", async () => {
  const home = await makeTempHome();
  try {
    const told = (program: Partial<HookProgram>): readonly string[] =>
      hookProgramFindings([{ ...PROGRAM, ...program }], machineOf(home))
        .map(({ severity, message, line }) => `${severity} ${line}: ${message}`);
    assert.deepEqual(told({}), []);
    const command = "no-such-program";
    const what = `The program "${command}" of a hook was not found`;
    assert.deepEqual(told({ command }), [
      `error 3: ${what}: all that "before-call" would ask it about is stopped`,
    ]);
    assert.deepEqual(told({ command, onError: "allow" }), [`warning 3: ${what}`]);
    assert.deepEqual(told({ command, event: "after-call" }), [`warning 3: ${what}`]);
  } finally {
    await home.remove();
  }
});

Deno.test("a hook that cannot be asked is an error, and before its approval a note", () => {
  const stops = "Bad; until then it stops what it would be asked about";
  const found = (warnings: readonly string[]): readonly string[] =>
    sourceFileFindings([{
      id: "hooks",
      label: "Hooks",
      scope: "project",
      path: "/w/.hotplug/hooks.json",
      state: "loaded",
      servers: 0,
      error: null,
      warnings,
    }]).map(({ severity }) => severity);
  assert.deepEqual(found([stops]), ["error"]);
  assert.deepEqual(found([`Not approved. ${APPROVE_HOOKS}`, stops]), ["warning", "info"]);
});
