import type { JsonObject } from "../../../mod.ts";
import type { Round } from "./behaviour.ts";

/** How far a request has come that needs answers of the host. */
export interface Progress {
  /** How many rounds are answered. */
  readonly round: number;
  /** Their answers, by key. */
  readonly answers: JsonObject;
}

/** Nothing has been asked. */
export const START: Progress = { round: 0, answers: {} };

/** What comes next in a request. */
export interface Step {
  /** What to ask now; `null` when all is answered. */
  readonly questions: Round | null;
  /** How far the request has come. */
  readonly progress: Progress;
}

/**
 * What comes next, given what the host answered now. A round of which an answer is missing is asked
 * again; answers to what was not asked are left aside.
 */
export function nextStep(
  rounds: readonly Round[],
  progress: Progress,
  responses: JsonObject,
): Step {
  const questions = rounds[progress.round];
  if (questions === undefined) return { questions: null, progress };
  const keys = Object.keys(questions);
  if (!keys.every((key) => Object.hasOwn(responses, key))) {
    return { questions, progress };
  }
  const answers = { ...progress.answers };
  for (const key of keys) answers[key] = responses[key];
  return nextStep(rounds, { round: progress.round + 1, answers }, {});
}
