import { type ErrorInfo, isAbortError, toHotplugError } from "../model/errors.ts";
import type { HookProgram } from "../model/hook_program.ts";
import type { JsonObject } from "../model/json.ts";
import { failed, type HookMachine, runHook } from "./run_hook.ts";

/**
 * What a program prints that was asked for definitions, or why it failed.
 * @throws {HotplugError} `aborted`.
 */
export async function printedText(
  program: HookProgram,
  event: JsonObject,
  where: HookMachine,
  signal: AbortSignal | undefined,
): Promise<string | ErrorInfo> {
  try {
    const stdout = await runHook(program, event, where, signal);
    return new TextDecoder("utf-8", { fatal: true }).decode(stdout);
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    if (thrown instanceof TypeError) {
      return failed(program, "it printed something that is not UTF-8").toInfo();
    }
    return toHotplugError(thrown, "hook-failed").toInfo();
  }
}
