import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import type { Scope } from "../model/source.ts";
import { factsOf } from "../platform/local_files.ts";
import { readConfigDocument } from "./config_document.ts";
import type { HostFormat } from "./host_format.ts";
import type { HostSource } from "./host_writer.ts";
import { layered } from "./layered.ts";
import { type ListedNames, listedSwitches, switched } from "./name_switches.ts";
import { type NearMiss, nearMisses } from "./near_miss.ts";
import { projectPlaces } from "./project_folders.ts";
import { folderReport, reporter } from "./reporter.ts";
import { readSection, type SectionPlace } from "./server_file.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { joinReadings } from "./source_reading.ts";

/** A file of a host agent's, or one section of it. */
export interface HostFile extends SectionPlace {
  /** Absolute path. */
  readonly path: string;
  /** Whose file it is. Default `user`. */
  readonly scope?: Scope;
  /** What of the format is different in this file. */
  readonly format?: Partial<HostFormat>;
  /** `false`: it is only read, new entries go elsewhere. Default `true`. */
  readonly written?: boolean;
}

/** A folder of a host agent's, which may hold files of servers. */
export interface HostFolder {
  /** Absolute path. */
  readonly path: string;
  /** Whose folder it is. Default `user`. */
  readonly scope?: Scope;
}

/** A project file of a host agent's. */
export interface ProjectFile extends SectionPlace {
  /** Its path, relative to the folder of the project. */
  readonly path: string;
  /** What of the format is different in this file. */
  readonly format?: Partial<HostFormat>;
  /** `false`: it is only read, new entries go elsewhere. Default `true`. */
  readonly written?: boolean;
}

/** A host agent: where its files lie, and how they are written. */
export interface HostAgent {
  /** How its entries are written. */
  readonly format: HostFormat;
  /** Its files that belong to no project, strongest first, there or not. Pure. */
  readonly files: (machine: Machine) => readonly (string | HostFile)[];
  /** Further files, which only a look at the disk can name; weaker than `files`. */
  readonly foundFiles?: (
    context: SourceContext,
  ) => readonly HostFile[] | Promise<readonly HostFile[]>;
  /** Its project files, strongest first; looked for from the current folder up to the root. */
  readonly projectFiles?: readonly (string | ProjectFile)[];
  /** Folders whose names `foundFiles` asks for, so that it is told where it looked. Pure. */
  readonly folders?: (context: SourceContext) => readonly HostFolder[];
  /** Where people put its servers by mistake. */
  readonly nearMisses?: (context: SourceContext) => readonly NearMiss[];
  /** A last change of what was read: switches that stand elsewhere, and the like. */
  readonly finish?: (
    reading: SourceReading,
    context: SourceContext,
  ) => SourceReading | Promise<SourceReading>;
}

/** The source that reads a host agent's files, and by which they are written. */
export function hostSource(agent: HostAgent): HostSource {
  const { format } = agent;
  const { id, label } = format;
  const ownFiles = (machine: Machine): readonly HostFile[] => agent.files(machine).map(asFile);
  const projectFiles = (agent.projectFiles ?? []).map(asFile);
  return {
    id,
    label,
    userFiles: ({ machine }) => ownFiles(machine).map(({ path }) => path),
    writer: {
      format,
      fileFor: (context, scope) => {
        if (scope === "project") {
          const inRoot = projectFiles.map((file) => (
            { ...file, path: join(context.workspacePath, file.path) }
          ));
          return firstThere(inRoot);
        }
        return scope === "user" ? firstThere(ownFiles(context.machine).filter(isUsers)) : null;
      },
    },
    async read(context): Promise<SourceReading> {
      const places: readonly HostFile[] = [
        ...ownFiles(context.machine).filter(({ scope }) => scope === "managed"),
        ...inProject(projectFiles, context),
        ...ownFiles(context.machine).filter(({ scope }) => scope !== "managed"),
        ...await agent.foundFiles?.(context) ?? [],
      ];
      const [files, misses] = await Promise.all([
        Promise.all(places.map((place) =>
          // Most of the agents that are known are not installed.
          context.isAbsent?.(place.path) === true
            ? absentFile(place, format)
            : readFile(place, format, context)
        )),
        nearMisses(context, format, agent.nearMisses?.(context) ?? []),
      ]);
      const found = joinReadings(files.map(({ reading }) => reading));
      const merged = format.layered === true ? layered(found) : found;
      const lists = files.flatMap((file) => file.lists);
      const folders = (agent.folders?.(context) ?? [])
        .map(({ path, scope = "user" }) => folderReport(context, format, path, scope));
      const reports = [...merged.reports, ...folders, ...misses];
      const reading = { ...switched(merged, lists), reports };
      return await agent.finish?.(reading, context) ?? reading;
    },
  };
}

/** A file by its path alone has nothing special about it. */
function asFile<File extends { readonly path: string }>(
  file: string | File,
): File | { readonly path: string } {
  return typeof file === "string" ? { path: file } : file;
}

function isUsers({ scope = "user" }: HostFile): boolean {
  return scope === "user";
}

/** The file that an agent reads already, else the one that it would make. */
function firstThere(files: readonly HostFile[]): HostFile | null {
  const written = files.filter((file) => file.written !== false);
  return written.find(({ path }) => factsOf(path) !== null) ?? written[0] ?? null;
}

/** The project's files in every folder, those of the nearest folder first. */
function inProject(
  files: readonly ProjectFile[],
  context: SourceContext,
): readonly HostFile[] {
  const placed = files.map((file) =>
    projectPlaces(context, file.path)
      .map(({ path, folder }): HostFile => ({ base: folder, ...file, path, scope: "project" }))
  );
  const folders = new Set(placed.flatMap((places) => places.map(({ base }) => base)));
  return [...folders].flatMap((folder) =>
    placed.flatMap((places) => places.filter(({ base }) => base === folder))
  );
}

/** What one file gave: its servers, and its lists of names. */
interface FileReading {
  readonly reading: SourceReading;
  readonly lists: readonly ListedNames[];
}

/** A file that is not there. */
function absentFile(
  { path, scope = "user", format: own }: HostFile,
  format: HostFormat,
): FileReading {
  const report = reporter({ ...format, ...own }, path, scope)({ state: "absent" });
  return { reading: { definitions: [], reports: [report], switches: [] }, lists: [] };
}

/** The servers of one file, and its lists of names. */
async function readFile(
  file: HostFile,
  format: HostFormat,
  context: SourceContext,
): Promise<FileReading> {
  const { path, scope = "user" } = file;
  const own = { ...format, ...file.format };
  const document = await readConfigDocument(context, { path, project: scope === "project" });
  const reading = await readSection(context, own, { ...file, document, scope });
  // Only the user may switch on what an entry says is off.
  const switches = (own.switches ?? [])
    .filter(({ means }) => means !== "on" || scope !== "project");
  const { lists, warnings } = listedSwitches(document, scope, switches);
  const reports = reading.reports.map((report) => ({
    ...report,
    warnings: [...report.warnings, ...warnings],
  }));
  return { reading: { ...reading, reports }, lists };
}
