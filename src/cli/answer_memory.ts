import process from "node:process";
import type { Machine } from "../model/machine.ts";
import { hotplugFolders } from "../platform/folders.ts";
import { currentMachine } from "../platform/machine.ts";
import { answerPlace } from "./answer_file.ts";
import { type GivenAnswer, keepAnswer } from "./keep_answer.ts";
import type { Output } from "./output.ts";
import { recallAnswer } from "./recall_answer.ts";

/** The answers to this process's command line that are kept from one run to the next. */
export interface AnswerMemory {
  /** The machine that was looked at. */
  readonly machine: Machine;
  /** Prints the kept answer and gives its exit code; `null` when there is none. */
  recall(): number | null;
  /** Keeps an answer that was printed. */
  keep(given: GivenAnswer): Promise<void>;
}

/**
 * The memory for the answers to a command line.
 * @throws {HotplugError} `discovery-failed` when the current folder is gone.
 */
export async function answerMemory(
  args: readonly string[],
  output: Output,
): Promise<AnswerMemory> {
  const machine = currentMachine();
  const folders = hotplugFolders(machine);
  const place = await answerPlace({ args, machine, folders, output });
  return {
    machine,
    recall: () => place === null ? null : recallAnswer(place, output, Date.now()),
    async keep(given): Promise<void> {
      const files = [process.argv[1] ?? "", process.execPath];
      if (place !== null) await keepAnswer(place, given, files);
    },
  };
}
