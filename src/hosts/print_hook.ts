import { editText } from "../formats/edit_text.ts";
import { HotplugError } from "../model/errors.ts";
import type { JsonValue } from "../model/json.ts";
import { textFormatOf } from "../sources/config_document.ts";
import { entryIn } from "./entry_part.ts";
import { ENTRY_NAME } from "./gateway_words.ts";
import { requireScope } from "./hook_options.ts";
import type { HookPart, HookRequest, HostEntry } from "./host_kind.ts";
import type { KnownHost } from "./registry.ts";

/** One file of a hook as it would be written where nothing stands yet. */
export interface PrintedFile {
  /** Absolute path. */
  readonly path: string;
  /** All that it would hold. */
  readonly text: string;
}

/**
 * The files of a hook as they would be written where nothing stands yet. Writes nothing.
 *
 * @throws {HotplugError} `usage` for a scope that the host has no place for; `config-invalid` when
 * the host has no words for the command line.
 */
export async function printHook(
  host: KnownHost,
  request: HookRequest,
): Promise<readonly PrintedFile[]> {
  requireScope(host, request.scope);
  return await Promise.all(host.kind.parts(request).map(printed));
}

async function printed(part: HookPart): Promise<PrintedFile> {
  if (part.what === "file") return { path: part.path, text: part.text };
  const { target, extra, settings } = part;
  const entry: JsonValue = { ...entryIn(target, part.config), ...extra };
  const edited = await editText("", textFormatOf(target.path), [
    entryChange(target, entry),
    ...settings,
  ]);
  if (!edited.ok) {
    throw new HotplugError("edit-refused", `Cannot print the entry: ${edited.message}`);
  }
  return { path: target.path, text: edited.text };
}

function entryChange(
  { key, format: { list } }: HostEntry["target"],
  entry: Readonly<Record<string, JsonValue | undefined>>,
): { readonly path: readonly string[]; readonly value: JsonValue } {
  return list === undefined
    ? { path: [...key, ENTRY_NAME], value: entry }
    : { path: key, value: [{ [list]: ENTRY_NAME, ...entry }] };
}
