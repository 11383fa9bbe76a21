import { statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, parse, resolve } from "node:path";
import process from "node:process";

import { HotplugError } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";

/**
 * The machine and process that this code runs in, as they are now. The environment is a copy:
 * later changes do not show.
 * @throws {HotplugError} `discovery-failed` when the current folder is gone and has no name left.
 */
export function currentMachine(): Machine {
  // Without a prototype, so that a variable named like one of its members is data like any other.
  const env: Record<string, string | undefined> = Object.create(null);
  Object.assign(env, process.env);
  const cwd = currentFolder(env["PWD"]);
  return {
    platform: process.platform,
    env,
    home: homeFolder(cwd),
    tmp: resolve(cwd, tmpdir()),
    cwd,
    uid: process.getuid?.() ?? null,
  };
}

/**
 * The current folder by the name that the user came by: `PWD` when it is still the same folder,
 * so that the parents of a symlinked folder are the link's. A removed folder keeps its `PWD`.
 */
function currentFolder(pwd: string | undefined): string {
  const named = pwd !== undefined && isAbsolute(pwd) ? resolve(pwd) : null;
  let physical: string;
  try {
    physical = process.cwd();
  } catch (cause) {
    if (named !== null) return named;
    throw new HotplugError("discovery-failed", "Cannot tell the current folder: it was removed", {
      cause,
      hint: "Change to a folder that exists",
    });
  }
  return named !== null && isSameFolder(named, physical) ? named : physical;
}

/** Whether two paths lead to one folder. */
function isSameFolder(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    const [first, second] = [statSync(a), statSync(b)];
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    return false;
  }
}

/**
 * The home folder: the environment's, else the user database's. A user unknown to both (an
 * arbitrary id in a container) has the root folder, as most containers set it.
 */
function homeFolder(cwd: string): string {
  for (const candidate of [homedir, (): string => userInfo().homedir]) {
    try {
      const home = candidate();
      if (isAbsolute(home)) return resolve(home);
    } catch {
      // Not known to this one.
    }
  }
  return parse(cwd).root;
}
