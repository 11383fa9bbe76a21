import { basename, extname, join } from "node:path";
import type { ServerConfig } from "../model/definition.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Machine } from "../model/machine.ts";
import { factsOf } from "../platform/local_files.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { inHome, movedTo } from "./host_paths.ts";
import { type HostFile, type HostFolder, hostSource } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import { namesAt, projectFolders } from "./project_folders.ts";
import type { SourceContext } from "./source.ts";

/** Continue's JSON files, which are written as Claude's are. */
const FORMAT: HostFormat = {
  id: "continue",
  label: "Continue",
  rank: 30,
  dialect: "braces",
  environment: "base",
  key: ["mcpServers"],
  spelling: { types: { stdio: null, streamable_http: "http", sse: "sse" } },
};

/** Its YAML files: a list, among other things. */
export const CONTINUE_LIST: Partial<HostFormat> = {
  dialect: "secrets",
  list: "name",
  shared: true,
  rename: { connectionTimeout: "startupTimeout" },
  ignore: ["faviconUrl", "serverName", "sourceFile", "sourceSlug"],
  translate: listedEntry,
  spelling: {
    types: { stdio: "stdio", streamable_http: "streamable-http", sse: "sse" },
    keys: ["cwd", "startupTimeout"],
    finish: asListed,
  },
};

/** The older settings: a list of transports without names. */
const NAMELESS: Partial<HostFormat> = {
  dialect: "literal",
  list: "name",
  shared: true,
  ignore: ["faviconUrl", "server_name"],
  // What Continue calls them, too.
  nameOf: (name, step) => name === "" ? `continue-mcp-server-${Number(step) + 1}` : name,
  // Continue never looked at the limit that stands beside the transport.
  translate: ({ transport, timeout: _unread, ...rest }) =>
    listedEntry({ ...rest, ...isJsonObject(transport) ? transport : {} }),
};

/** Name of the folder of files that hold servers. */
const FOLDER = "mcpServers";
/** The JSON file of a project into which a new server is put. */
const PROJECT_FILE = join(".continue", FOLDER, "mcp.json");

/** Continue: the files of a folder of the project and of the user, and the user's settings. */
export const continueDev: HostSource = hostSource({
  format: FORMAT,
  files: (machine) => [{ path: join(ownFolder(machine), "config.yaml"), format: CONTINUE_LIST }],
  foundFiles: (context) => [
    ...folderFiles(context),
    ...olderSettings(context.machine),
  ],
  folders,
  projectFiles: [PROJECT_FILE],
  nearMisses: ({ machine }) => [{
    path: join(ownFolder(machine), "mcp.json"),
    scope: "user",
    belongs: join(ownFolder(machine), FOLDER, "mcp.json"),
  }],
});

/** Continue's own folder, which can be moved. */
function ownFolder(machine: Machine): string {
  return movedTo(machine, "CONTINUE_GLOBAL_DIR") ?? inHome(machine, ".continue");
}

/** The folders of files: those of the project, then the user's. */
function folders(context: SourceContext): readonly HostFolder[] {
  const own = ownFolder(context.machine);
  const inProject = projectFolders(context)
    .map((base) => ({ path: join(base, ".continue", FOLDER), base, scope: "project" as const }))
    .filter(({ path }) => path !== join(own, FOLDER));
  return [...inProject, { path: join(own, FOLDER) }];
}

/** The files in the folders of the project and of the user. */
function folderFiles(context: SourceContext): readonly HostFile[] {
  return folders(context).flatMap(({ path: folder, ...place }) =>
    filesIn(context, folder)
      // A project's file of this name is among the project's own files.
      .filter(({ path }) => place.scope !== "project" || path !== join(folder, "mcp.json"))
      .map((file): HostFile => ({ ...file, ...place }))
  );
}

/** The files of a folder that hold servers; a JSON file may be the entry of a single one. */
function filesIn(context: SourceContext, folder: string): readonly HostFile[] {
  return namesAt(context, folder).flatMap((name): readonly HostFile[] => {
    const path = join(folder, name);
    const extension = extname(name);
    if (extension === ".json") return [{ path, alone: basename(name, extension) }];
    return extension === ".yaml" || extension === ".yml" ? [{ path, format: CONTINUE_LIST }] : [];
  });
}

/** The older settings, which count as long as there are no others. */
function olderSettings(machine: Machine): readonly HostFile[] {
  const own = ownFolder(machine);
  if (factsOf(join(own, "config.yaml")) !== null) return [];
  return [{
    path: join(own, "config.json"),
    key: ["experimental", "modelContextProtocolServers"],
    format: NAMELESS,
    readOnly: true,
  }];
}

/** Takes the headers out of the options of requests, and the key that is one of them. */
function listedEntry(raw: JsonObject): TranslatedEntry {
  const { requestOptions, apiKey, ...rest } = raw;
  const options = isJsonObject(requestOptions) ? requestOptions : {};
  const { headers, ...others } = options;
  const warnings = Object.keys(others).map((key) => `"requestOptions.${key}" is not read`);
  const authorization = typeof apiKey === "string" ? { Authorization: `Bearer ${apiKey}` } : {};
  const all = { ...isJsonObject(headers) ? headers : {}, ...authorization };
  return { raw: Object.keys(all).length === 0 ? rest : { headers: all, ...rest }, warnings };
}

/** Puts the headers where Continue's lists have them. */
function asListed(raw: JsonObject, config: ServerConfig): { readonly raw: JsonObject } {
  const { headers, ...rest } = raw;
  return { raw: config.headers === undefined ? raw : { ...rest, requestOptions: { headers } } };
}
