import { isAbsolute, join } from "node:path";
import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { realPathOf } from "../platform/local_files.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostFormat, TranslatedEntry } from "./host_format.ts";
import { nameList } from "./name_list.ts";
import { type NearMiss, nearMisses } from "./near_miss.ts";
import { switchedOff } from "./server_entry.ts";
import { readSection } from "./server_file.ts";
import type { Source, SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/** Claude Code's own file, which holds much besides servers. */
const FORMAT: HostFormat = {
  id: "claude-code",
  label: "Claude Code",
  rank: 80,
  dialect: "braces",
  environment: "all",
  key: ["mcpServers"],
  shared: true,
  ignore: ["alwaysLoad"],
  translate,
};

/** Claude Code: the user's servers, and those of the user for this folder alone (local). */
export const claudeCode: Source = {
  id: FORMAT.id,
  label: FORMAT.label,
  userFiles: (context) => [homeFile(context)],
  async read(context): Promise<SourceReading> {
    const path = homeFile(context);
    const folders = folderNames(context);
    const [document, misses] = await Promise.all([
      readConfigDocument(context, { path }),
      nearMisses(context, FORMAT, misplacedFiles(context)),
    ]);
    const entries = projectEntries(document, folders);
    const local = await Promise.all(
      entries.filter(({ entry }) => entry["mcpServers"] !== undefined)
        .map(({ folder }) =>
          readSection(context, FORMAT, {
            document,
            scope: "local",
            key: ["projects", folder, "mcpServers"],
          })
        ),
    );
    const user = await readSection(context, FORMAT, { document, scope: "user" });
    const found = withoutDisabled(joinReadings([...local, user]), entries);
    return { ...found, reports: [...found.reports, ...misses] };
  },
};

/** The folder of Claude Code's settings when it was moved to an absolute path; `null` when it was not. */
function movedFolder({ machine }: SourceContext): string | null {
  const folder = machine.env["CLAUDE_CONFIG_DIR"] ?? "";
  // A relative one would make a file of whatever folder one is in the user's own.
  return isAbsolute(folder) ? folder : null;
}

/** Path of the file that holds user and local servers. */
function homeFile(context: SourceContext): string {
  return join(movedFolder(context) ?? context.machine.home, ".claude.json");
}

/** Files of the settings folder: they hold approvals, but nobody reads servers from them. */
function misplacedFiles(context: SourceContext): readonly NearMiss[] {
  const { machine, workspacePath } = context;
  const user = movedFolder(context) ?? join(machine.home, ".claude");
  const misses = new Map<string, NearMiss>();
  for (const name of ["settings.json", "settings.local.json", "mcp.json"]) {
    for (const folder of [machine.cwd, workspacePath]) {
      const path = join(folder, ".claude", name);
      misses.set(path, { path, scope: "project", belongs: join(workspacePath, ".mcp.json") });
    }
    const path = join(user, name);
    misses.set(path, { path, scope: "user", belongs: homeFile(context) });
  }
  return [...misses.values()];
}

/**
 * The names under which the file may know this folder, nearest first: the current folder and the
 * workspace root, each as written and without links. On Windows both slashes are in use.
 */
function folderNames(context: SourceContext): readonly string[] {
  const { cwd } = context.machine;
  const { workspacePath } = context;
  const paths = [cwd, realPathOf(cwd), workspacePath, realPathOf(workspacePath)];
  const names = paths.flatMap((path) =>
    context.machine.platform === "win32" ? [path, path.replaceAll("\\", "/")] : [path]
  );
  return [...new Set(names)];
}

/** What the file says about one folder. */
interface ProjectEntry {
  readonly folder: string;
  readonly entry: JsonObject;
}

/** The entries of the folder's names that are there. */
function projectEntries(
  document: ConfigDocument,
  folders: readonly string[],
): readonly ProjectEntry[] {
  const projects = document.state === "loaded" ? document.root["projects"] : undefined;
  if (!isJsonObject(projects)) return [];
  return folders.flatMap((folder) => {
    const entry = Object.hasOwn(projects, folder) ? projects[folder] : undefined;
    return isJsonObject(entry) ? [{ folder, entry }] : [];
  });
}

/** Switches off what the user switched off for this folder. */
function withoutDisabled(
  found: SourceReading,
  entries: readonly ProjectEntry[],
): SourceReading {
  const key = "disabledMcpServers";
  const off = new Set(entries.flatMap(({ entry }) => nameList(key, entry[key]).names));
  if (off.size === 0) return found;
  const definitions = found.definitions.map((definition): Definition =>
    off.has(definition.name) ? switchedOff(definition, `"${key}" of this project`) : definition
  );
  return { ...found, definitions };
}

/** Checks what Claude Code refuses or ignores, so that both run the same servers the same way. */
function translate(raw: JsonObject): TranslatedEntry {
  const { timeout, headersHelper, ...rest } = raw;
  const warnings: string[] = [];
  const problems: ErrorInfo[] = [];
  if (raw["url"] !== undefined && raw["type"] === undefined && raw["command"] === undefined) {
    problems.push({
      code: "config-invalid",
      message: `Cannot tell the transport: "url" is given without "type"`,
      hint: `Add "type": "http", or "type": "sse" for an older server`,
    });
  }
  if (headersHelper !== undefined) {
    warnings.push(`"headersHelper" is not run; put the headers into "headers"`);
  }
  // A limit for one call; Claude Code has none in the file for the start.
  const limited = typeof timeout === "number" && timeout >= 1000;
  if (timeout !== undefined && !limited) {
    warnings.push(`"timeout" is ignored: it must be a number of milliseconds from 1000`);
  }
  return { raw: limited ? { callTimeout: timeout, ...rest } : rest, problems, warnings };
}
