import { kindOf } from "../definitions/entry_reader.ts";
import { parseText, type TextFormat } from "../formats/parse_text.ts";
import type { ParsedText } from "../formats/parsed_text.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { TextFile } from "../platform/text_file.ts";
import type { SourceContext } from "./source.ts";

/** A config file after reading and parsing, before anything is looked for in it. */
export type ConfigDocument =
  | {
    readonly state: "loaded";
    /** Absolute path. */
    readonly path: string;
    /** The whole content. */
    readonly root: JsonObject;
    /** Places in the text. */
    readonly document: ParsedText;
    /** Oddities of the encoding. */
    readonly warnings: readonly string[];
  }
  | {
    readonly state: "absent" | "empty" | "unreadable" | "malformed";
    /** Absolute path. */
    readonly path: string;
    /** Why it cannot be used; `null` for `absent` and `empty`. */
    readonly error: ErrorInfo | null;
    /** Oddities of the encoding. */
    readonly warnings: readonly string[];
  };

/** Which file to read. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** `true`: a repository's file, which must belong to the user or to root. Default `false`. */
  readonly project?: boolean;
}

/** The format of a file, which its name tells; what is neither TOML nor YAML is JSON. */
export function textFormatOf(path: string): TextFormat {
  if (path.endsWith(".toml")) return "toml";
  return /\.ya?ml$/.test(path) ? "yaml" : "jsonc";
}

/** Reads and parses one config file. Never throws: what goes wrong is the state. */
export async function readConfigDocument(
  context: SourceContext,
  file: ConfigFile,
): Promise<ConfigDocument> {
  const { path } = file;
  // Most of the files that are looked for are not there.
  if (context.isAbsent?.(path) === true) {
    return { state: "absent", path, error: null, warnings: [] };
  }
  const text = await readText(context, file);
  if (text.state === "absent") return { state: "absent", path, error: null, warnings: [] };
  if (text.state === "unreadable") {
    return { state: "unreadable", path, error: text.error, warnings: [] };
  }
  const warnings = text.notes;
  if (text.text.trim() === "") return { state: "empty", path, error: null, warnings };
  const parsed = await parseText(text.text, textFormatOf(path));
  if (!parsed.ok) {
    const { line, column } = parsed.place;
    const error: ErrorInfo = {
      code: "config-malformed",
      message: `Cannot parse "${path}": ${parsed.message} at line ${line}, column ${column}`,
      hint: "Correct the file; until then none of its servers is known",
    };
    return { state: "malformed", path, error, warnings };
  }
  const root = parsed.document.value;
  // Nothing but comments.
  if (root === null && parsed.document.isEmpty) {
    return { state: "empty", path, error: null, warnings };
  }
  if (!isJsonObject(root)) {
    const error: ErrorInfo = {
      code: "config-invalid",
      message: `Cannot use "${path}": expected an object at line 1, found ${kindOf(root)}`,
      hint: 'Write one object, such as { "mcpServers": { … } }',
    };
    return { state: "malformed", path, error, warnings };
  }
  return { state: "loaded", path, root, document: parsed.document, warnings };
}

/** Reads the text. Root may change every file anyway, so a project file of root's is taken. */
async function readText(context: SourceContext, file: ConfigFile): Promise<TextFile> {
  const { uid } = context.machine;
  if (file.project !== true || uid === null) return await context.readFile(file.path);
  const own = await context.readFile(file.path, { ownerUid: uid });
  if (own.state !== "unreadable" || uid === 0) return own;
  const roots = await context.readFile(file.path, { ownerUid: 0 });
  return roots.state === "loaded" ? roots : own;
}

/** The value at a path of keys, and of positions in lists; `undefined` where a step is missing. */
export function valueAt(root: JsonObject, path: readonly (string | number)[]): unknown {
  let value: unknown = root;
  for (const step of path) {
    if (typeof step === "number") value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
