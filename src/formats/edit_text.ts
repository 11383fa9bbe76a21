import type { JsonValue } from "../model/json.ts";
import { EditRefusal, type StepEditor } from "./edit_refusal.ts";
import { parseText, type TextFormat } from "./parse_text.ts";
import { withoutMark } from "./parsed_text.ts";
import { PatchedText } from "./patched_text.ts";
import { type Place, placeAt } from "./place.ts";
import type { TextPatch } from "./text_patch.ts";
import { afterStep, sameValue, stepsFor, withoutUndefined } from "./value_steps.ts";

/** One change to the value of a text. */
export interface TextChange {
  /** Keys from the root; positions in arrays as decimal text. Empty: the whole value. */
  readonly path: readonly string[];
  /** What stands there afterwards; `undefined` removes it. */
  readonly value: JsonValue | undefined;
}

/** A changed text, or why it was left as it is. The message is a clause as of `parseText`. */
export type EditResult =
  | {
    readonly ok: true;
    /** The whole text after the changes. */
    readonly text: string;
    /** What was changed, relative to the original text; sorted, not overlapping. */
    readonly patches: readonly TextPatch[];
  }
  | {
    readonly ok: false;
    readonly message: string;
    /** Where; `null` when no place is at fault. */
    readonly place: Place | null;
  };

/**
 * Makes changes, one after the other, with the smallest change of the text: comments, order,
 * indentation, line ends and everything else outside of the edited place stay as they are.
 *
 * - A missing object on the path is made, also in the place of null; any other value on the way is
 *   refused. An array takes a position that it has, or its length, which appends.
 * - A removal takes the comment that follows on the same line along; comment lines above stay. An
 *   object that loses its last entry stays, empty. Removing what is not there changes nothing.
 * - An object or array that is set over one is compared with it, and only what differs is written.
 * - An empty text becomes a new file.
 *
 * The result is read again and must be what was asked for; otherwise the edit is refused, as is
 * one of a text that does not parse. Never throws or rejects.
 */
export async function editText(
  text: string,
  format: TextFormat,
  changes: readonly TextChange[],
): Promise<EditResult> {
  try {
    return await edit(text, format, changes);
  } catch {
    // An editor met a text that it does not know; to leave it alone is always right.
    return NOT_SAFE;
  }
}

const NOT_SAFE: EditResult = {
  ok: false,
  message: "expected a change that can be made without touching anything else",
  place: null,
};

async function edit(
  text: string,
  format: TextFormat,
  changes: readonly TextChange[],
): Promise<EditResult> {
  const parsed = await parseText(text, format);
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  const body = withoutMark(text);
  const mark = text.length - body.length;
  const patched = new PatchedText(body);
  let value: JsonValue = document.isEmpty ? {} : document.value;
  const editor = await loadEditor(format);
  for (const change of changes) {
    const wanted = change.value === undefined ? undefined : withoutUndefined(change.value);
    const found = stepsFor(value, change.path, wanted);
    if (!found.ok) {
      return { ok: false, message: found.message, place: await document.placeOf(found.path) };
    }
    for (const step of found.steps) {
      try {
        patched.apply(editor(patched.text, step));
      } catch (error) {
        if (!(error instanceof EditRefusal)) throw error;
        const { message, offset } = error;
        return {
          ok: false,
          message,
          place: offset === null ? null : placeAt(patched.text, offset),
        };
      }
      value = afterStep(value, step);
    }
  }
  const edited = text.slice(0, mark) + patched.text;
  const again = await parseText(edited, format);
  if (!again.ok || !sameValue(again.document.isEmpty ? {} : again.document.value, value)) {
    return NOT_SAFE;
  }
  const patches = patched.patches().map((patch) => ({ ...patch, offset: patch.offset + mark }));
  return { ok: true, text: edited, patches };
}

async function loadEditor(format: TextFormat): Promise<StepEditor> {
  if (format === "jsonc") return (await import("./jsonc_edit.ts")).editJsonc;
  if (format === "toml") return (await import("./toml_edit.ts")).editToml;
  return (await import("./yaml_edit.ts")).editYaml;
}
