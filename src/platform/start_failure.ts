import { stat } from "node:fs/promises";

import { HotplugError } from "../model/errors.ts";
import { errnoOf, errnoText } from "./errno.ts";

/** Errors of the system that speak of the program itself. */
const PROGRAM_ERRORS: ReadonlySet<string> = new Set([
  "EACCES",
  "EISDIR",
  "ELOOP",
  "ENOENT",
  "ENOEXEC",
  "ENOTDIR",
  "EPERM",
]);

/**
 * Why a program could not be started, in words. The system tells only that something was not
 * found: whether it was the working folder, the program, or the interpreter that the program's
 * first line names, is looked up here.
 */
export async function startFailure(
  options: { readonly program: string; readonly cwd: string },
  cause: unknown,
): Promise<HotplugError> {
  if (cause instanceof HotplugError) return cause;
  const errno = errnoOf(cause);
  const action = `Cannot start "${options.program}"`;
  // Its own words quote the value, which may be a secret; so it is no cause either.
  if (cause instanceof TypeError) {
    return new HotplugError(
      "config-invalid",
      `${action}: an argument or a variable holds what no program can be given`,
      { hint: "Look for a zero byte in them" },
    );
  }
  if (errno === null || !PROGRAM_ERRORS.has(errno)) {
    const code = errno === "E2BIG" ? "config-invalid" : "internal";
    return new HotplugError(code, `${action}: ${errnoText(cause)}`, { cause });
  }
  const folder = await folderProblem(options.cwd);
  if (folder !== null) {
    return new HotplugError(
      "config-invalid",
      `${action}: the working folder "${options.cwd}" ${folder}`,
      { cause, hint: "Make the folder, or change `cwd`" },
    );
  }
  if (errno === "ENOENT" && await exists(options.program)) {
    return new HotplugError(
      "program-not-found",
      `${action}: the interpreter that its first line names does not exist`,
      { cause, hint: "Install the interpreter" },
    );
  }
  const hint = errno === "EACCES" || errno === "EPERM"
    ? "Make the file executable"
    : "Install the program, or give its absolute path as the command";
  return new HotplugError("program-not-found", `${action}: ${errnoText(cause)}`, { cause, hint });
}

/** What is wrong with a working folder, or `null`. */
async function folderProblem(folder: string): Promise<string | null> {
  try {
    return (await stat(folder)).isDirectory() ? null : "is not a folder";
  } catch (thrown) {
    const errno = errnoOf(thrown);
    return errno === "ENOENT" ? "does not exist" : `cannot be entered (${errno ?? "unknown"})`;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
