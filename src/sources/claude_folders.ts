import { join } from "node:path";
import type { Machine } from "../model/machine.ts";
import { factsOf, realPathOf } from "../platform/local_files.ts";
import { mainCheckout } from "../platform/main_checkout.ts";
import { inHome, movedTo } from "./host_paths.ts";
import type { SourceContext } from "./source.ts";

/** The folder of Claude Code's settings; `CLAUDE_CONFIG_DIR` moves it. */
export function settingsFolder(machine: Machine): string {
  return movedTo(machine, "CLAUDE_CONFIG_DIR") ?? inHome(machine, ".claude");
}

/** The file of user and local servers, and the one that early versions made, if in use. */
export function stateFiles(machine: Machine): readonly string[] {
  const folder = movedTo(machine, "CLAUDE_CONFIG_DIR") ?? machine.home;
  return [join(settingsFolder(machine), ".config.json"), join(folder, ".claude.json")];
}

/** The file that Claude Code reads user and local servers from: the early one, where it is left. */
export function stateFile(machine: Machine): string {
  const [early = "", usual = ""] = stateFiles(machine);
  return factsOf(early) === null ? usual : early;
}

/** The folder of what an administrator lays down; nothing moves it. */
export function managedFolder({ platform }: Machine): string {
  if (platform === "win32") return "C:\\Program Files\\ClaudeCode";
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

/** The folder of what is known of plugins. */
export function pluginFolder(machine: Machine): string {
  return movedTo(machine, "CLAUDE_CODE_PLUGIN_CACHE_DIR") ??
    join(settingsFolder(machine), "plugins");
}

/**
 * The names under which Claude Code may know this folder, nearest first: the current folder, the
 * workspace root and, in a git worktree, the root of the main checkout, each as written and without
 * links. On Windows both slashes are in use.
 */
export function projectNames({ machine, workspacePath }: SourceContext): readonly string[] {
  const main = mainCheckout(workspacePath);
  const folders = [machine.cwd, workspacePath, ...(main === null ? [] : [main])];
  const names = folders.flatMap((path) => [path, realPathOf(path)]).flatMap((path) =>
    machine.platform === "win32" ? [path, path.replaceAll("\\", "/")] : [path]
  );
  return [...new Set(names)];
}

/** The name under which Claude Code itself would write this folder down today. */
export function projectKey({ machine, workspacePath }: SourceContext): string {
  const path = realPathOf(mainCheckout(workspacePath) ?? workspacePath);
  return machine.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
