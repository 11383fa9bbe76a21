import { basename, join } from "node:path";
import type { Definition, OffSwitch, ServerConfig } from "../model/definition.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { factsOf } from "../platform/local_files.ts";
import { readConfigDocument } from "./config_document.ts";
import { isEnabledIn } from "./gemini_extension_rules.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import type { HostFile, HostFolder } from "./host_source.ts";
import type { NearMiss } from "./near_miss.ts";
import { namesAt } from "./project_folders.ts";
import { sideReport } from "./reporter.ts";
import type { SourceContext, SourceReading } from "./source.ts";

/** Name of an extension's own file. */
const MANIFEST = "gemini-extension.json";

/** Where installed extensions lie in Gemini CLI's folder. */
const FOLDER = "extensions";

/**
 * The files of all installed extensions, in the order of their folders. One that is switched off
 * for the current folder is read too, and its servers are off.
 *
 * @param folder Gemini CLI's folder of the user.
 */
export async function extensionFiles(
  context: SourceContext,
  folder: string,
  format: HostFormat,
): Promise<readonly HostFile[]> {
  const extensions = join(folder, FOLDER);
  const names = namesAt(context, extensions).filter((name) =>
    factsOf(join(extensions, name))?.isDirectory() === true
  );
  if (names.length === 0) return [];
  const enablement = enablementFile(folder);
  const rules = await contentOf(context, enablement);
  return await Promise.all(names.map(async (name): Promise<HostFile> => {
    const installed = join(extensions, name);
    const base = await linkedFolder(context, installed) ?? installed;
    const path = join(base, MANIFEST);
    const manifest = await contentOf(context, path);
    const own = manifest["name"];
    const id = typeof own === "string" ? own : name;
    const envFile = join(installed, ".env");
    const extension: Extension = {
      id,
      base,
      workspacePath: context.workspacePath,
      separator: context.machine.platform === "win32" ? "\\" : "/",
      offBy: isEnabledIn(rules[id], context.machine.cwd) ? null : offIn(enablement, id),
      envFile: factsOf(envFile)?.isFile() === true ? envFile : null,
    };
    return {
      path,
      base,
      readOnly: true,
      // Other keys of a manifest mean something else, and most extensions bring no servers.
      format: {
        shared: true,
        switches: [],
        translate: (raw, server) => translate(raw, server, extension, format),
      },
    };
  }));
}

/** The folder of installed extensions, to be told of. */
export function extensionFolders(folder: string): readonly HostFolder[] {
  return [{ path: join(folder, FOLDER) }];
}

/** What the user's rules say about extensions; without extensions there is nothing to say. */
export async function extensionReports(
  context: SourceContext,
  folder: string,
  format: HostFormat,
): Promise<readonly SourceReport[]> {
  if (namesAt(context, join(folder, FOLDER)).length === 0) return [];
  const document = await readConfigDocument(context, { path: enablementFile(folder) });
  return [sideReport(format, document, "user")];
}

/** The rules by which extensions are on or off for a folder. */
function enablementFile(folder: string): string {
  return join(folder, FOLDER, "extension-enablement.json");
}

/** Extensions in the project's folder, where older versions looked for them. */
export function extensionMisses(context: SourceContext, folder: string): readonly NearMiss[] {
  const extensions = join(context.workspacePath, ".gemini", FOLDER);
  const belongs = join(folder, FOLDER, "<name>", MANIFEST);
  // The project may be the home folder itself.
  if (extensions === join(folder, FOLDER)) return [];
  return namesAt(context, extensions).map((name): NearMiss => (
    { path: join(extensions, name, MANIFEST), scope: "project", belongs }
  ));
}

/**
 * A reading in which an entry of the settings changes the server of an extension that has its
 * name: what either of them excludes is left out, and of what both include only the common part
 * is offered. An entry of the project's gets no more of the extension's than these lists.
 */
export function withExtensions(reading: SourceReading): SourceReading {
  const extensions = new Map<string, Definition>();
  for (const definition of reading.definitions) {
    const { name, config } = definition;
    if (!isExtensions(definition) || config.enabled === false || extensions.has(name)) continue;
    extensions.set(name, definition);
  }
  const definitions = reading.definitions.map((definition): Definition => {
    const extension = extensions.get(definition.name);
    if (extension === undefined || isExtensions(definition)) return definition;
    return { ...definition, config: united(definition, extension.config) };
  });
  return { ...reading, definitions };
}

/** What of an installed extension matters for its servers. */
interface Extension {
  readonly id: string;
  readonly base: string;
  readonly workspacePath: string;
  readonly separator: string;
  /** What switches it off for this folder; `null` when it is on. */
  readonly offBy: OffSwitch | null;
  readonly envFile: string | null;
}

/** An extension's entry with its folders in the texts, and with the extension's own switch. */
function translate(
  raw: JsonObject,
  server: string,
  { base, workspacePath, separator, offBy, envFile }: Extension,
  format: HostFormat,
): TranslatedEntry {
  const folders: Readonly<Record<string, string>> = {
    extensionPath: base,
    workspacePath,
    pathSeparator: separator,
    "/": separator,
  };
  const placed = withFolders(raw, folders) as JsonObject;
  const entry = format.translate?.(placed, server) ?? { raw: placed };
  const hasSettings = envFile !== null && raw["command"] !== undefined;
  return {
    ...entry,
    raw: { ...entry.raw, ...(hasSettings ? { envFile } : {}) },
    ...(offBy === null ? {} : { switchedOffBy: offBy }),
  };
}

/** The switch of an extension that is off for the current folder. */
function offIn(path: string, id: string): OffSwitch {
  return { list: id, path, remedy: `Switch the extension "${id}" on in Gemini CLI` };
}

/** The value with the extension's own placeholders replaced in all its texts. */
function withFolders(
  value: JsonValue | undefined,
  folders: Readonly<Record<string, string>>,
): JsonValue | undefined {
  if (typeof value === "string") {
    return value.replace(
      /\$\{(extensionPath|workspacePath|pathSeparator|\/)\}/g,
      (_, name) => folders[name] ?? "",
    );
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => withFolders(item, folders) ?? null);
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withFolders(item, folders)]),
  );
}

/** The folder that a linked extension really lies in; `null` for any other. */
async function linkedFolder(context: SourceContext, installed: string): Promise<string | null> {
  const facts = await contentOf(context, join(installed, ".gemini-extension-install.json"));
  const { type, source } = facts;
  return type === "link" && typeof source === "string" ? source : null;
}

/** The content of a file; nothing where it cannot be used. */
async function contentOf(context: SourceContext, path: string): Promise<JsonObject> {
  const document = await readConfigDocument(context, { path });
  return document.state === "loaded" ? document.root : {};
}

function isExtensions({ source }: Definition): boolean {
  return source.path !== null && basename(source.path) === MANIFEST;
}

/** An entry of the settings with what it takes over from an extension's server. */
function united({ config, source }: Definition, extension: ServerConfig): ServerConfig {
  const isSameKind = (config.url === undefined) === (extension.url === undefined);
  const inherits = isSameKind && source.scope !== "project";
  const env = { ...(inherits ? extension.env : {}), ...config.env };
  const include = common(config.enabledTools, extension.enabledTools);
  const exclude = [...extension.disabledTools ?? [], ...config.disabledTools ?? []];
  return {
    ...(inherits ? extension : {}),
    ...config,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(include === undefined ? {} : { enabledTools: include }),
    ...(exclude.length === 0 ? {} : { disabledTools: [...new Set(exclude)] }),
  };
}

/** What two lists have in common; a missing one holds everything. */
function common(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((tool) => other.includes(tool));
}
