import { basename } from "node:path";
import { parseText } from "../formats/parse_text.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { HookProgram } from "../model/hook_program.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { noteUnseen } from "../platform/looks.ts";
import type { TextFile } from "../platform/text_file.ts";
import { CANONICAL_SPELLING } from "../sources/canonical_spelling.ts";
import type { ConfigDocument } from "../sources/config_document.ts";
import { toldReader } from "../sources/held_reader.ts";
import type { HostFormat } from "../sources/host_format.ts";
import { readSection } from "../sources/server_file.ts";
import type { ReadFile, Source, SourceContext, SourceReading } from "../sources/source.ts";

/** What a program prints: the canonical form, with the placeholders of Hotplug's own files. */
const FORMAT: HostFormat = {
  id: "discover-hook",
  label: "Discover hook",
  rank: 30,
  dialect: "hotplug",
  environment: "base",
  key: ["mcpServers"],
  spelling: CANONICAL_SPELLING,
};

/** What programs are run with. */
export interface DiscoverHookOptions {
  /** The machine. */
  readonly machine: Machine;
  /** Hotplug's own folders. */
  readonly folders: HotplugFolders;
  /** Root of the workspace. */
  readonly workspacePath: string;
  /** Texts that stand for what programs print, by the name of the hook; none of these is run. */
  readonly held: ReadonlyMap<string, string>;
  /** Told of what each program printed, under the name of the hook. */
  readonly onRead?: ((file: TextFile) => void) | undefined;
  /** Ends what runs. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The programs that print definitions, each as a source of its own: it runs whenever the sources are
 * read. What it prints has the scope of the file that names it, so that a repository's definitions
 * need their own approval.
 *
 * A report calls the hook by a name that is no path. As with a file, what one printed last stands
 * while it fails, for whoever remembers that.
 */
export function discoverHooks(
  programs: readonly HookProgram[],
  options: DiscoverHookOptions,
): readonly Source[] {
  const asked = programs.filter(({ event }) => event === "discover");
  return asked.map((program, index): Source => {
    const ofScope = asked.slice(0, index + 1).filter(({ scope }) => scope === program.scope);
    const whose = program.scope === "project" ? "project's " : "";
    const name = `${whose}discover hook ${ofScope.length}: ${basename(program.command)}`;
    const read = toldReader(printed(program, options), options.onRead);
    return {
      id: FORMAT.id,
      label: FORMAT.label,
      read: async (context) => definitionsOf(program, await read(name), context),
    };
  });
}

/** Reads what a program prints as if it were a file. */
function printed(program: HookProgram, options: DiscoverHookOptions): ReadFile {
  const { machine, folders, workspacePath, held, signal } = options;
  return async (path) => {
    const known = held.get(path);
    if (known !== undefined) return { state: "loaded", path, text: known, notes: [] };
    noteUnseen();
    // Loaded here, since hardly anybody has such a hook.
    const { printedText } = await import("../interceptors/discover_program.ts");
    const event = { workspacePath, cwd: machine.cwd };
    const text = await printedText(program, event, { machine, folders }, signal);
    return typeof text === "string"
      ? { state: "loaded", path, text, notes: [] }
      : { state: "unreadable", path, error: text };
  };
}

/** The definitions in what was printed, said to stand where the hook does. */
async function definitionsOf(
  { scope, path, line }: HookProgram,
  file: TextFile,
  context: SourceContext,
): Promise<SourceReading> {
  const { definitions, reports, switches } = await readSection(context, FORMAT, {
    document: await documentOf(file),
    scope,
    readOnly: true,
    ...(scope === "project" ? { base: context.workspacePath } : {}),
  });
  return {
    definitions: definitions.map((definition) => ({
      ...definition,
      source: { ...definition.source, path, line },
    })),
    reports,
    switches,
  };
}

async function documentOf(file: TextFile): Promise<ConfigDocument> {
  const { path } = file;
  if (file.state === "absent") return { state: "absent", path, error: null, warnings: [] };
  if (file.state === "unreadable") {
    return { state: "unreadable", path, error: file.error, warnings: [] };
  }
  if (file.text.trim() === "") return { state: "empty", path, error: null, warnings: [] };
  const parsed = await parseText(file.text, "jsonc");
  if (!parsed.ok) {
    const { line, column } = parsed.place;
    const at = `at line ${line}, column ${column}`;
    return malformed(path, `it printed no JSON: ${parsed.message} ${at}`);
  }
  const { value } = parsed.document;
  if (!isJsonObject(value)) return malformed(path, "it printed JSON that is not an object");
  const root: JsonObject = value;
  return { state: "loaded", path, root, document: parsed.document, warnings: [] };
}

function malformed(path: string, problem: string): ConfigDocument {
  const error: ErrorInfo = {
    code: "hook-failed",
    message: `Cannot use the ${path}: ${problem}`,
    hint: 'It must print { "mcpServers": { "<name>": { … } } }',
  };
  return { state: "malformed", path, error, warnings: [] };
}
