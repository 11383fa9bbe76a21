import { readFileSync, statSync } from "node:fs";
import { type AnswerPlace, type KeptAnswer, MAX_ANSWER } from "./answer_file.ts";
import { signNow } from "./disk_sign.ts";
import type { Output } from "./output.ts";
import { printToolsAnswer, type ToolsAnswer } from "./tools_print.ts";

/**
 * Prints a kept answer to `mcp tools` when all that it depended on is as it was: environment,
 * every path that was looked at, and the time.
 *
 * @param now Milliseconds since 1970.
 * @returns The exit code; `null` when nothing was printed and the question must be answered anew.
 */
export function recallAnswer(place: AnswerPlace, output: Output, now: number): number | null {
  const kept = readKept(place);
  if (kept === null || !isCurrent(kept, now)) return null;
  try {
    printToolsAnswer(output, kept.printed, now - kept.madeAt);
  } catch {
    // Of another shape within; a sink itself never throws.
    return null;
  }
  return kept.printed.exitCode;
}

/** Whether all that an answer depended on is as it was. */
function isCurrent({ madeAt, freshUntil, looks }: KeptAnswer, now: number): boolean {
  // A time before it was made means that the clock was set back: nothing is known then.
  if (now < madeAt || (freshUntil !== null && now >= freshUntil)) return false;
  return looks.every(([how, path, sign]) => signNow(how, path) === sign);
}

/** The answer of a place. Whatever hinders reading is a miss. */
function readKept({ path, head }: AnswerPlace): KeptAnswer | null {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    // UTF-8 takes up to three bytes for a character.
    if (facts?.isFile() !== true || facts.size > 3 * MAX_ANSWER) return null;
    const kept: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isKept(kept) && kept.format === head.format && kept.key === head.key &&
        kept.environment === head.environment
      ? kept
      : null;
  } catch {
    return null;
  }
}

/** Whether a value has the shape of a kept answer, as far as it is relied on here. */
function isKept(value: unknown): value is KeptAnswer {
  const kept = value as Partial<Record<keyof KeptAnswer, unknown>> | null;
  if (typeof kept !== "object" || kept === null) return false;
  const { madeAt, freshUntil, looks, printed } = kept;
  return typeof madeAt === "number" && (freshUntil === null || typeof freshUntil === "number") &&
    Array.isArray(looks) && looks.length > 0 && looks.every(isLook) && isPrinted(printed);
}

/** A look with all its parts; `signNow` knows no others. */
function isLook(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 &&
    value.every((part) => typeof part === "string") &&
    ["stat", "link", "real", "list", "run"].includes(String(value[0]));
}

function isPrinted(value: unknown): boolean {
  const printed = value as Partial<Record<keyof ToolsAnswer, unknown>> | null;
  if (typeof printed !== "object" || printed === null) return false;
  const { answer, remarks, exitCode } = printed;
  return typeof exitCode === "number" && Array.isArray(remarks) &&
    typeof answer === "object" && answer !== null &&
    (Array.isArray(answer) || Array.isArray((answer as { readonly servers?: unknown }).servers));
}
