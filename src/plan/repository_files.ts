import { basename, join, relative } from "node:path";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { Machine } from "../model/machine.ts";
import { withoutVariables } from "./approval_digest.ts";
import { baseFolder, inWorkspace, launchFolder, namedPaths } from "./folder_trust.ts";
import { placePath, workspaceFolder } from "./place_path.ts";

/** Programs that run a package, and take the repository's copy when it has one. */
const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx"]);

/**
 * The files of the repository that a definition would run or read, relative to the workspace, as
 * far as its text tells without a variable being read.
 */
export function repositoryFiles(
  definition: Definition,
  machine: Machine,
  workspacePath: string,
): readonly string[] {
  const { source } = definition;
  const workspace = workspaceFolder(machine, workspacePath);
  const config = withoutVariables(definition, definition.config, { machine, workspace });
  if (config.command === undefined) return [];
  const folders = { workspacePath, home: machine.home };
  const base = baseFolder(source, folders);
  const { cwd } = launchFolder(config.cwd, { ...folders, base, approved: true });
  const named = namedPaths(config, { cwd, base })
    .filter(({ what }) => what !== "working folder");
  const ownCopy = runnerTarget(config);
  const candidates = ownCopy === null ? named : [...named, {
    what: "package",
    path: join(cwd, "node_modules", ".bin", ownCopy),
    folderIsData: false,
  }];
  const places = candidates
    // By name alone, before the disk is touched: it may be a share of another machine.
    .filter(({ path }) => inWorkspace({ path, real: path }, workspace))
    .map(placePath);
  const found = places.filter(({ kind, folderIsData }) =>
    kind === "file" || (kind === "folder" && !folderIsData)
  );
  return [...new Set(found.map(({ path }) => relative(workspacePath, path) || "."))];
}

/** The name of the program that a package runner is asked for; `null` for other programs. */
function runnerTarget(config: ServerConfig): string | null {
  const runner = basename(config.command ?? "").replace(/\.(?:cmd|exe)$/i, "");
  const target = config.args?.find((arg) => !arg.startsWith("-"));
  if (!PACKAGE_RUNNERS.has(runner) || target === undefined) return null;
  const name = basename(target.replace(/(?<=.)@[^/]*$/, ""));
  return name === "" || name === "." || name === ".." ? null : name;
}
