import { join } from "node:path";
import type { HookProgram } from "../../src/model/hook_program.ts";
import { type Logger, silentLogger } from "../../src/model/log.ts";
import { ProgramHooks } from "../../src/interceptors/program_hooks.ts";
import type { HookMachine } from "../../src/interceptors/run_hook.ts";
import { endProcesses, leftoversOfHome } from "../harness/living_processes.ts";
import { machineOf, makeTempHome, type TempHome } from "../harness/temp_home.ts";
import assert from "node:assert/strict";

/** What a test of hooks' programs works with. */
export interface HookWorld extends TempHome, HookMachine {
  /** A hook whose program is this shell script. */
  shell(script: string, more?: Partial<HookProgram>): HookProgram;
  /** Such hooks as a manager asks them. */
  hooks(programs: readonly HookProgram[], log?: Logger): ProgramHooks;
  /** The JSON lines of a file of the home; none when there is none. */
  lines(name: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A test with real programs in a home of its own; after it none of them may be alive. */
export function withHooks(name: string, test: (world: HookWorld) => Promise<void>): void {
  Deno.test(name, async () => {
    const temp = await makeTempHome();
    const machine = machineOf(temp);
    const folders = {
      config: temp.config,
      state: temp.state,
      cache: temp.cache,
      runtime: join(temp.home, "run"),
    };
    let left: Awaited<ReturnType<typeof leftoversOfHome>> = [];
    try {
      await test({
        ...temp,
        machine,
        folders,
        shell: (script, more = {}) => ({
          event: "before-call",
          command: "/bin/sh",
          args: ["-c", script],
          cwd: temp.home,
          env: {},
          timeoutMs: 10_000,
          servers: null,
          tools: null,
          onError: "deny",
          scope: "user",
          path: `${temp.config}/settings.json`,
          line: 4,
          ...more,
        }),
        hooks: (programs, log = silentLogger) =>
          new ProgramHooks({ machine, folders, log }, { programs, broken: [] }),
        lines: (file) => linesOf(join(temp.home, file)),
      });
      left = await leftoversOfHome(temp.home);
      assert.deepEqual(left, [], "processes are left");
    } finally {
      endProcesses(left.length > 0 ? left : await leftoversOfHome(temp.home, 0));
      await temp.remove();
    }
  });
}

/** The JSON lines of a file; none when there is none. */
export async function linesOf(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const text = await Deno.readTextFile(path);
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return [];
    throw thrown;
  }
}
