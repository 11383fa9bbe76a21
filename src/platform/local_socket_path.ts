import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { HotplugError } from "../model/errors.ts";
import type { HotplugFolders, Machine } from "../model/machine.ts";
import { errnoText } from "./errno.ts";

/** Most bytes of a socket's path: what a system takes, less the zero that ends it. */
const MAX_PATH_BYTES = { darwin: 103, linux: 107 };

/** How a socket's file is named at its end. */
const SUFFIX = ".sock";

/** Rights of anybody but the owner. */
const OTHERS = 0o077;

/**
 * A path for a socket that only this user can reach. On Windows it is a named pipe; elsewhere a
 * name in Hotplug's runtime folder, or when that cannot be used in one of the temp folder. The
 * folder is made when it is missing.
 *
 * @param name Letters and digits, the same for nobody else.
 * @throws {HotplugError} `write-failed` when no folder is fit: each is another user's, open to
 * others, a link, or its path too long for a socket.
 */
export async function localSocketPath(
  name: string,
  { machine, folders }: {
    readonly machine: Pick<Machine, "platform" | "tmp" | "uid">;
    readonly folders: Pick<HotplugFolders, "runtime">;
  },
): Promise<string> {
  const { platform, tmp, uid } = machine;
  if (platform === "win32") return `\\\\.\\pipe\\hotplug-${name}`;
  const most = platform === "darwin" ? MAX_PATH_BYTES.darwin : MAX_PATH_BYTES.linux;
  const places = new Set([folders.runtime, join(tmp, `hotplug-${uid ?? "user"}`)]);
  const faults: string[] = [];
  for (const folder of places) {
    const path = join(folder, name + SUFFIX);
    // Longer ones are cut without a word by some runtimes.
    const isLong = new TextEncoder().encode(path).length > most;
    const fault = isLong ? "its path is too long" : await folderFault(folder, uid);
    if (fault === null) return path;
    faults.push(`"${folder}": ${fault}`);
  }
  throw new HotplugError("write-failed", `Cannot place a socket: ${faults.join("; ")}`, {
    hint: "Give XDG_RUNTIME_DIR a short path of a folder that is yours alone",
  });
}

/** Whether a path is that of the socket of a name, in whichever folder. */
export function isSocketPathOf(path: string, name: string): boolean {
  return path.split(/[/\\]/).at(-1) === name + SUFFIX;
}

/** Makes a folder that is this user's alone; what is wrong with it, or `null`. */
async function folderFault(folder: string, uid: number | null): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (found.isSymbolicLink()) return "it is a link";
    if (!found.isDirectory()) return "it is no folder";
    if (uid !== null && found.uid !== uid) return "it belongs to another user";
    return (found.mode & OTHERS) === 0 ? null : "others can get into it";
  } catch (thrown) {
    return errnoText(thrown);
  }
}
