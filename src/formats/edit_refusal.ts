import type { TextPatch } from "./text_patch.ts";
import type { EditStep } from "./value_steps.ts";

/** Says that a step cannot be made; the message is a clause as of `parseText`. */
export class EditRefusal extends Error {
  /** Offset in the text that was to be changed; `null` when no place is at fault. */
  readonly offset: number | null;

  constructor(message: string, offset: number | null) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Makes one step in a text that has no fault and no byte order mark. Throws an
 * {@linkcode EditRefusal}.
 */
export type StepEditor = (text: string, step: EditStep) => readonly TextPatch[];
