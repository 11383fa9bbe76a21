import type { CommandContext, StricliProcess } from "@stricli/core";
import type { Machine } from "../model/machine.ts";
import type { GivenAnswer } from "./keep_answer.ts";
import type { Output } from "./output.ts";

/** What every command gets beside its flags and arguments. */
export interface CliContext extends CommandContext {
  /** What the argument parser writes to, and the exit code that was decided on. */
  readonly process: StricliProcess;
  /** Where the command writes. */
  readonly output: Output;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fires when a signal asks the program to end. */
  readonly signal: AbortSignal;
  /** The machine that the program runs on; loaded when first asked for. */
  machine(): Promise<Machine>;
  /** All that stands on stdin, as text. Rejects with the signal's reason. */
  readInput(): Promise<string>;
  /** Whether a user sits at a terminal and can be asked. */
  canAsk(): boolean;
  /** Takes an answer that was given without starting anything, to be kept. Absent: keeps none. */
  readonly given?: (answer: GivenAnswer) => void;
  /** Asks the user a question on stderr and gives the answer's line. */
  ask(question: string): Promise<string>;
}
