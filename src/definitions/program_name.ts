import { posix } from "node:path";

/** The name of a program's file: without folders, and without the ending that Windows needs. */
export function programName(program: string): string {
  return posix.basename(program.replaceAll("\\", "/")).replace(/\.(?:cmd|exe|bat|com|ps1)$/i, "");
}
