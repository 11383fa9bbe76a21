import { join } from "node:path";
import type { Definition } from "../model/definition.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { SourceReport } from "../model/source.ts";
import { factsOf } from "../platform/local_files.ts";
import { CLAUDE_FORMAT } from "./claude_entry.ts";
import {
  managedFolder,
  projectNames,
  settingsFolder,
  stateFile,
  stateFiles,
} from "./claude_folders.ts";
import { readPlugins } from "./claude_plugins.ts";
import { type ConfigDocument, readConfigDocument } from "./config_document.ts";
import type { HostSource } from "./host_writer.ts";
import { nameList } from "./name_list.ts";
import { type NearMiss, nearMisses } from "./near_miss.ts";
import { offByList } from "./off_switch.ts";
import { reporter } from "./reporter.ts";
import { switchedOff } from "./server_entry.ts";
import { readSection, readServerFile } from "./server_file.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/**
 * Claude Code: what an administrator lays down, the servers of the user for this folder alone
 * (local), the user's, and those of the plugins that are switched on here. Approvals of Claude
 * Code's are not read.
 */
export const claudeCode: HostSource = {
  id: CLAUDE_FORMAT.id,
  label: CLAUDE_FORMAT.label,
  userFiles: ({ machine }) => stateFiles(machine),
  writer: {
    format: CLAUDE_FORMAT,
    fileFor: ({ machine }, scope) => scope === "user" ? { path: stateFile(machine) } : null,
  },
  async read(context): Promise<SourceReading> {
    const [document, managed, plugins, misses] = await Promise.all([
      readConfigDocument(context, { path: stateFile(context.machine) }),
      readManaged(context),
      readPlugins(context),
      nearMisses(context, CLAUDE_FORMAT, misplacedFiles(context)),
    ]);
    const entries = projectEntries(document, projectNames(context));
    const local = await Promise.all(
      entries.filter(({ entry }) => entry["mcpServers"] !== undefined)
        .map(({ folder }) =>
          readSection(context, CLAUDE_FORMAT, {
            document,
            scope: "local",
            key: ["projects", folder, "mcpServers"],
          })
        ),
    );
    const user = await readSection(context, CLAUDE_FORMAT, { document, scope: "user" });
    const found = joinReadings([managed, ...local, user, plugins]);
    const reading = withoutDisabled(found, entries, document.path);
    return { ...reading, reports: [...reading.reports, ...otherStateFiles(context), ...misses] };
  },
};

/** What an administrator lays down. */
function readManaged(context: SourceContext): Promise<SourceReading> {
  const path = join(managedFolder(context.machine), "managed-mcp.json");
  return readServerFile(context, CLAUDE_FORMAT, { path, scope: "managed" });
}

/** The state file that is not read: the early one where it is not left, else the usual one. */
function otherStateFiles({ machine }: SourceContext): readonly SourceReport[] {
  return stateFiles(machine).filter((path) => path !== stateFile(machine)).map((path) => {
    const state = factsOf(path) === null ? "absent" : "off";
    return reporter(CLAUDE_FORMAT, path, "user")({ state });
  });
}

/** Files of the settings folder: they hold approvals, but nobody reads servers from them. */
function misplacedFiles({ machine, workspacePath }: SourceContext): readonly NearMiss[] {
  const misses = new Map<string, NearMiss>();
  for (const name of ["settings.json", "settings.local.json", "mcp.json"]) {
    for (const folder of [machine.cwd, workspacePath]) {
      const path = join(folder, ".claude", name);
      misses.set(path, { path, scope: "project", belongs: join(workspacePath, ".mcp.json") });
    }
    const path = join(settingsFolder(machine), name);
    misses.set(path, { path, scope: "user", belongs: stateFile(machine) });
  }
  return [...misses.values()];
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

/** Key of the names that are off for a folder. */
const OFF = "disabledMcpServers";

/** Switches off what the user switched off for this folder. */
function withoutDisabled(
  found: SourceReading,
  entries: readonly ProjectEntry[],
  path: string,
): SourceReading {
  const lists = entries.map(({ folder, entry }) => ({
    names: nameList(OFF, entry[OFF]).names,
    place: {
      path,
      scope: "user" as const,
      keyPath: ["projects", folder, OFF],
    },
  }));
  if (lists.every(({ names }) => names.length === 0)) return found;
  const definitions = found.definitions.map((definition): Definition =>
    lists.filter(({ names }) => names.includes(definition.name))
      .map(({ place }) => offByList(place, [definition.name], false))
      .reduce(switchedOff, definition)
  );
  return { ...found, definitions };
}
