import { serverEnvironment } from "../definitions/environment.ts";
import { type HookProgram, VETO_EVENTS } from "../model/hook_program.ts";
import type { Machine } from "../model/machine.ts";
import { resolveProgram } from "../platform/program.ts";
import type { Finding } from "./finding.ts";

/** Programs of hooks that are not there. One that has a say stops what it would be asked about. */
export function hookProgramFindings(
  programs: readonly HookProgram[],
  machine: Machine,
): readonly Finding[] {
  return programs.flatMap((program): readonly Finding[] => {
    const { event, command, cwd, env: own, scope, onError, path, line } = program;
    const inherited = scope === "user" ? "all" : "safe";
    const env = serverEnvironment(inherited, { env: own, headers: {} }, machine.env);
    const found = resolveProgram(command, { machine, env, cwd });
    if (found.path !== null) return [];
    const stops = VETO_EVENTS.some((one) => one === event) && onError === "deny";
    const what = found.unusable === undefined
      ? `The program ${JSON.stringify(command)} of a hook was not found`
      : `The program ${JSON.stringify(found.unusable)} of a hook may not be run`;
    return [{
      check: "hooks",
      severity: stops ? "error" : "warning",
      server: null,
      path,
      line,
      message: stops ? `${what}: all that "${event}" would ask it about is stopped` : what,
      remedy: 'Correct its "command", or take the hook out of that file',
    }];
  });
}
