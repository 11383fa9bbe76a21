import { editText } from "../formats/edit_text.ts";
import { parseText } from "../formats/parse_text.ts";
import { HotplugError } from "../model/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { editFile, type EditFileOptions } from "../platform/edited_file.ts";
import { textFormatOf } from "../sources/config_document.ts";
import { guardProjectFile, type ProjectPlace } from "./project_guard.ts";

/** A change of one value in a config file. */
export interface ValueChange {
  /** Keys and positions that lead to the value; the position after the last item appends. */
  readonly path: readonly (string | number)[];
  /** The new value; `undefined` removes it. */
  readonly value: JsonValue | undefined;
}

/** A change of one config file. */
export interface FileEdit {
  /** Absolute path, there or not. */
  readonly path: string;
  /**
   * The project whose file it is: others may read what is made, and nothing is written through a
   * link out of it. Absent or `null`: a file of the user's.
   */
  readonly project?: ProjectPlace | null;
  /**
   * What to change, decided by what the file holds at the moment of the edit; nothing leaves the
   * file as it is. May be asked again. What it throws refuses the edit.
   */
  readonly changes: (root: JsonObject) => readonly ValueChange[];
}

/** A config file before and after an edit. */
export interface EditedFile {
  /** Absolute path. */
  readonly path: string;
  /** Its text before; `null` when there was no file. */
  readonly before: string | null;
  /** Its text after; the same when nothing changed. */
  readonly after: string;
}

/**
 * Edits a config file under a lock: the smallest change of its text, which is read again and
 * compared with what was wanted before it replaces the old one.
 *
 * @throws {HotplugError} `config-malformed` when the file cannot be parsed, `edit-refused` when
 * the change cannot be made in its text, `config-unreadable`, `write-failed`, `aborted`. The file
 * is then as it was.
 */
export async function runEdit(edit: FileEdit, options: EditFileOptions = {}): Promise<EditedFile> {
  const { path, project = null } = edit;
  const shared: EditFileOptions = project === null
    ? {}
    : { newMode: 0o644, guard: (target) => guardProjectFile(path, target, project) };
  const edited = await editFile(path, (text) => editedText(edit, text ?? ""), {
    ...shared,
    ...options,
  });
  return { path, ...edited };
}

/** The text after an edit. */
async function editedText(edit: FileEdit, text: string): Promise<string> {
  const { path } = edit;
  const format = textFormatOf(path);
  const parsed = await parseText(text, format);
  if (!parsed.ok) {
    const { message, place: { line, column } } = parsed;
    throw new HotplugError(
      "config-malformed",
      `Cannot edit "${path}": ${message} at line ${line}, column ${column}`,
      { hint: "Correct the file first; it was left as it is" },
    );
  }
  const root = parsed.document.isEmpty ? {} : parsed.document.value;
  if (!isJsonObject(root)) {
    throw new HotplugError("edit-refused", `Cannot edit "${path}": it holds no object`, {
      hint: "Correct the file first; it was left as it is",
    });
  }
  const changes = edit.changes(root).map((change) => ({
    ...change,
    path: change.path.map(String),
  }));
  if (changes.length === 0) return text;
  const edited = await editText(text, format, changes);
  if (edited.ok) return edited.text;
  const place = edited.place === null ? "" : ` at line ${edited.place.line}`;
  throw new HotplugError("edit-refused", `Cannot edit "${path}": ${edited.message}${place}`, {
    hint: "Make this change by hand; the file was left as it is",
  });
}
