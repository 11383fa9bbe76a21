import { HotplugError, toHotplugError } from "../model/errors.ts";
import { painter } from "./colour.ts";
import type { CliContext } from "./context.ts";
import { errorLines } from "./error_text.ts";
import type { AnswerFlags } from "./flags.ts";
import { errorDocument, jsonText } from "./json_output.ts";
import type { Output } from "./output.ts";

/**
 * What a command does.
 * @returns The exit code.
 * @throws {HotplugError} What ends the command before it printed its answer.
 */
export type Action<Flags extends AnswerFlags> = (
  context: CliContext,
  flags: Flags,
  words: readonly string[],
) => Promise<number>;

/** An action as the argument parser calls it: its exit code is kept, its failure is reported. */
export function asCommand<Flags extends AnswerFlags>(
  action: Action<Flags>,
): (this: CliContext, flags: Flags, ...words: readonly string[]) => Promise<void> {
  return async function (
    this: CliContext,
    flags: Flags,
    ...words: readonly string[]
  ): Promise<void> {
    try {
      this.process.exitCode = await action(this, flags, words);
    } catch (thrown) {
      const error = toHotplugError(thrown);
      reportFailure(this.output, error, flags.json === true);
      this.process.exitCode = error.exitCode;
    }
  };
}

/** Tells the user why a command gave no answer: a JSON document on stdout, or text on stderr. */
export function reportFailure(output: Output, error: HotplugError, json: boolean): void {
  if (json) {
    output.stdout.write(jsonText(errorDocument(error)));
    return;
  }
  if (error.code === "aborted") return;
  const lines = errorLines(error.toInfo(), {
    prefix: "Error: ",
    paint: painter(output.stderr.colour),
  });
  output.stderr.write(`${lines.join("\n")}\n`);
}

/** A mistake on the command line. */
export function usageError(message: string, hint: string | null): HotplugError {
  return new HotplugError("usage", message, { hint });
}
