import { foreignRemedy } from "../platform/foreign_path.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import type { FolderFacts, Subject } from "./subject.ts";

/** Whether the folder that a local server would start in is there. Pure. */
export function workingFolderFindings({ definition, wins, folder }: Subject): readonly Finding[] {
  if (folder === null || folder.kind === "folder") return [];
  const written = definition.config.cwd?.trim() ?? "";
  const state = folder.kind === "file" ? "is no folder" : "does not exist";
  // What a placeholder gave may be a secret, so the text of the file stands for it.
  const isPlain = written === "" || !/[$%{]/.test(written);
  const which = isPlain ? folder.path : written;
  return [{
    check: "working-folder",
    // A definition that does not stand for its name is started by its own agent alone.
    severity: wins ? "error" : "warning",
    ...placeOfDefinition(definition),
    message: `Cannot start in ${JSON.stringify(which)}: the working folder ${state}`,
    remedy: remedy(written, folder),
  }];
}

function remedy(written: string, { kind, foreign }: FolderFacts): string {
  if (written === "") return "Make the folder";
  if (foreign !== null) return foreignRemedy(foreign, "folder");
  return kind === "file"
    ? 'Name a folder in "cwd" of the entry'
    : 'Make the folder, or correct "cwd" of the entry';
}
