import { join } from "node:path";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { readTextFile } from "../platform/text_file.ts";
import { findWorkspace } from "../platform/workspace.ts";
import type { SourceContext } from "../sources/source.ts";
import type { HookKey } from "./hook_records.ts";
import type { HookScope } from "./host_kind.ts";

/** What hooks are decided by: the machine, the workspace around its current folder, the disk. */
export function hookContext(machine: Machine, folders: HotplugFolders): SourceContext {
  return {
    machine,
    folders,
    workspacePath: findWorkspace(machine.cwd, machine.home),
    readFile: readTextFile,
    lines: false,
  };
}

/** Which hook of a workspace is meant. Pure. */
export function hookKey(kind: string, scope: HookScope, context: SourceContext): HookKey {
  return { kind, scope, workspacePath: scope === "project" ? context.workspacePath : null };
}

/** Folder in which texts are kept that were replaced by force. Pure. */
export function keptFolder({ state }: HotplugFolders): string {
  return join(state, "hooks", "replaced");
}
