import type { HookRewrite, HookVeto } from "../model/event_hooks.ts";
import type { VetoEvent } from "../model/hook_program.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/** Characters of a reason that are shown: it goes to a model or a terminal. */
const MAX_REASON = 1_000;

/** What a hook said: nothing, no, or with other arguments; or why its answer cannot be used. */
export type HookAnswer =
  | { readonly said: "nothing" }
  | ({ readonly said: "no" } & HookVeto)
  | ({ readonly said: "otherwise" } & HookRewrite)
  | { readonly said: "nonsense"; readonly problem: string };

const NOTHING: HookAnswer = { said: "nothing" };

/** The object that a program printed, `{}` when it printed nothing; a text says what is wrong. */
export function printedAnswer(stdout: Uint8Array): JsonObject | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(stdout).trim();
  } catch {
    return "it printed something that is not UTF-8";
  }
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it printed something that is not one JSON document";
  }
  return isJsonObject(value) ? value : "it printed JSON that is not an object";
}

/**
 * Reads what a hook answered before something happens. A word that is not known is nonsense and not
 * nothing: whoever writes `vote` for `veto` wants to be heard.
 */
export function readAnswer(event: VetoEvent, answer: unknown): HookAnswer {
  if (answer === undefined || answer === null) return NOTHING;
  if (!isJsonObject(answer)) return nonsense("it answered something that is not an object");
  const known = event === "before-call" ? ["veto", "arguments"] : ["veto"];
  const strange = Object.keys(answer).find((key) => !known.includes(key));
  if (strange !== undefined) {
    const words = known.map((word) => `"${word}"`).join(" and ");
    return nonsense(`it answered ${shown(strange)}, and only ${words} are understood`);
  }
  const { veto, arguments: args } = answer;
  if (typeof veto === "string") return { said: "no", veto: reason(veto) };
  if (veto === true) return { said: "no", veto: reason("") };
  if (veto !== undefined && veto !== null && veto !== false) {
    return nonsense(`"veto" in its answer must be a text`);
  }
  if (args === undefined || args === null) return NOTHING;
  if (!isJsonObject(args)) return nonsense(`"arguments" in its answer must be an object`);
  return { said: "otherwise", arguments: args };
}

function nonsense(problem: string): HookAnswer {
  return { said: "nonsense", problem };
}

/** A reason on one line, without what a terminal obeys. */
function reason(text: string): string {
  const line = plain(text).trim();
  if (line === "") return "a hook stopped it and gave no reason";
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}

function shown(word: string): string {
  return `"${plain(word).slice(0, 40)}"`;
}

function plain(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
