import type { EventHooks } from "../model/event_hooks.ts";
import { type HookSet, NO_HOOKS } from "../model/hook_program.ts";
import { brokenHook, programHook, type ProgramHookOptions } from "./program_hook.ts";

/**
 * The hooks that files name, as a manager asks them. They are read with the definitions, so whoever
 * reads these anew hands the new set over; what is being asked then ends as it began.
 */
export class ProgramHooks {
  readonly #options: ProgramHookOptions;
  #hooks: ReadonlyMap<string, EventHooks> = new Map();

  /** No hooks yet. */
  constructor(options: ProgramHookOptions, set: HookSet = NO_HOOKS) {
    this.#options = options;
    this.adopt(set);
  }

  /** Takes the place of the set before; a program whose entry is the same stays the same hook. */
  adopt({ programs, broken }: HookSet): void {
    const hooks = new Map<string, EventHooks>();
    // What can only stop things comes first: nothing else need run for that.
    for (const one of broken) hooks.set(JSON.stringify(one), brokenHook(one));
    for (const program of programs) {
      if (program.event === "discover") continue;
      const { line: _moved, ...entry } = program;
      const key = JSON.stringify(entry);
      hooks.set(key, this.#hooks.get(key) ?? programHook(program, this.#options));
    }
    this.#hooks = hooks;
  }

  /** The hooks that count now, in order. */
  current(): readonly EventHooks[] {
    return [...this.#hooks.values()];
  }
}
