import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import { factsOf, namesIn } from "../platform/local_files.ts";
import type { HostFormat } from "./host_format.ts";
import { inApplications, inHome } from "./host_paths.ts";
import { type HostFile, type HostFolder, hostSource, type ProjectFile } from "./host_source.ts";
import type { HostSource } from "./host_writer.ts";
import type { NearMiss } from "./near_miss.ts";
import { namesAt, projectFolders } from "./project_folders.ts";
import type { SourceContext, SourceReading } from "./source.ts";
import { VSCODE_FORMAT } from "./vscode_entry.ts";

/** Where servers stand in settings, of which they are a part. */
const IN_SETTINGS: Omit<ProjectFile, "path"> = {
  key: ["mcp", "servers"],
  format: { shared: "foreign" },
  // Servers moved out of the settings; what is still there is only read.
  written: false,
};

/** Where servers stand in the description of a container to develop in. */
const IN_CONTAINER: Omit<ProjectFile, "path"> = {
  ...IN_SETTINGS,
  key: ["customizations", "vscode", "mcp", "servers"],
};

/** One build of VS Code. */
interface Build {
  /** Stable name of the source. */
  readonly id: string;
  /** Name for humans. */
  readonly label: string;
  /** Its folder among the settings of applications. */
  readonly folder: string;
  /** The folder that it makes in the home of a machine that it is connected to, if it does. */
  readonly server?: string;
  /** `true`: project files are read for it; they are the same for every build. */
  readonly inProjects?: boolean;
  /** `false`: nothing confirms that it keeps to VS Code's paths. */
  readonly confirmed?: boolean;
}

/** VS Code, with the project files that all its builds read. */
export const vscode: HostSource = editor({
  id: "vscode",
  label: "VS Code",
  folder: "Code",
  server: ".vscode-server",
  inProjects: true,
});

/** The daily build of VS Code. */
export const vscodeInsiders: HostSource = editor({
  id: "vscode-insiders",
  label: "VS Code Insiders",
  folder: "Code - Insiders",
  server: ".vscode-server-insiders",
});

/** VSCodium, the build without Microsoft's parts. */
export const vscodium: HostSource = editor({
  id: "vscodium",
  label: "VSCodium",
  folder: "VSCodium",
  confirmed: false,
});

/** The source of one build: its user files, those of its profiles, and old settings. */
function editor(build: Build): HostSource {
  const { id, label, confirmed, server, inProjects = false } = build;
  const format: HostFormat = {
    ...VSCODE_FORMAT,
    id,
    label,
    ...(confirmed === undefined ? {} : { confirmed }),
  };
  const inUser = (machine: Machine, ...parts: readonly string[]): string =>
    inApplications(machine, build.folder, "User", ...parts);
  return hostSource({
    format,
    files: (machine) => [
      inUser(machine, "mcp.json"),
      ...(server === undefined ? [] : [inHome(machine, server, "data", "User", "mcp.json")]),
      { ...IN_SETTINGS, path: inUser(machine, "settings.json") },
    ],
    foundFiles: (context) => [
      ...profileFiles(context, inUser(context.machine, "profiles")),
      ...(inProjects ? [...workspaceFiles(context), ...containerFiles(context)] : []),
    ],
    ...(inProjects
      ? {
        projectFiles: [
          join(".vscode", "mcp.json"),
          { ...IN_SETTINGS, path: join(".vscode", "settings.json") },
          { ...IN_CONTAINER, path: join(".devcontainer", "devcontainer.json") },
          { ...IN_CONTAINER, path: ".devcontainer.json" },
        ],
      }
      : {}),
    folders: (context) => [
      { path: inUser(context.machine, "profiles") },
      ...(inProjects ? containerFolders(context) : []),
    ],
    nearMisses: ({ machine, workspacePath }) => {
      if (!inProjects) return [];
      const comments: NearMiss = {
        path: join(workspacePath, ".vscode", "mcp.jsonc"),
        scope: "project",
        belongs: ".vscode/mcp.json",
      };
      // In the home folder it is the project's file.
      if (workspacePath === machine.home) return [comments];
      const path = inHome(machine, ".vscode", "mcp.json");
      return [comments, { path, scope: "user", belongs: inUser(machine, "mcp.json") }];
    },
    finish: oncePerPath,
  });
}

/** The files of servers in profiles. */
function profileFiles(context: SourceContext, folder: string): readonly HostFile[] {
  return namesAt(context, folder).map((profile) => ({ path: join(folder, profile, "mcp.json") }))
    .filter(({ path }) => factsOf(path) !== null);
}

/** Both places of servers in the descriptions of workspaces, in the workspace root. */
function workspaceFiles({ workspacePath }: SourceContext): readonly HostFile[] {
  const shared = { ...IN_SETTINGS, scope: "project", base: workspacePath } as const;
  return namesIn(workspacePath).filter((name) => name.endsWith(".code-workspace"))
    .map((name) => join(workspacePath, name))
    .flatMap((path) => [
      { ...shared, path, key: ["settings", "mcp", "servers"] },
      { ...shared, path, key: ["mcp", "servers"] },
    ]);
}

/** The folders that may hold the descriptions of several containers. */
function containerFolders(context: SourceContext): readonly (HostFolder & { base: string })[] {
  return projectFolders(context).map((base) => (
    { path: join(base, ".devcontainer"), base, scope: "project" }
  ));
}

/** The descriptions of containers, where a project has several. */
function containerFiles(context: SourceContext): readonly HostFile[] {
  return containerFolders(context).flatMap(({ path: folder, base }) =>
    namesAt(context, folder).map((name) => join(folder, name, "devcontainer.json"))
      .filter((path) => factsOf(path) !== null)
      .map((path): HostFile => ({ ...IN_CONTAINER, path, base, scope: "project" }))
  );
}

/** A workspace has two places for servers; that one of them is empty is no news. */
function oncePerPath(reading: SourceReading): SourceReading {
  const loaded = new Set(
    reading.reports.filter(({ state }) => state === "loaded").map(({ path }) => path),
  );
  const first = new Map(reading.reports.toReversed().map((report) => [report.path, report]));
  const reports = reading.reports.filter((report) =>
    report.state === "loaded" || (!loaded.has(report.path) && first.get(report.path) === report)
  );
  return { ...reading, reports };
}
