import { posix, win32 } from "node:path";

import type { HotplugFolders, Machine } from "../model/machine.ts";

/** Name of our folder inside each of the system's. */
const NAME = "hotplug";

/**
 * Where Hotplug keeps its files on a machine. Pure: nothing is looked up or made.
 *
 * - Windows: `%APPDATA%` for config, `%LOCALAPPDATA%` for the rest.
 * - macOS: `~/Library/Application Support` and `~/Library/Caches`.
 * - Elsewhere: the XDG base folders; a relative value of such a variable counts as not set, as
 *   their specification asks. Without a runtime folder, one in the temp folder that carries the
 *   user's id.
 */
export function hotplugFolders(machine: Machine): HotplugFolders {
  if (machine.platform === "win32") return windowsFolders(machine);
  const ownTmp = posix.join(machine.tmp, `${NAME}-${machine.uid ?? "user"}`);
  if (machine.platform === "darwin") {
    const support = posix.join(machine.home, "Library", "Application Support", NAME);
    return {
      config: support,
      state: posix.join(support, "state"),
      cache: posix.join(machine.home, "Library", "Caches", NAME),
      runtime: ownTmp,
    };
  }
  const base = (variable: string, ...fallback: string[]): string => {
    const value = machine.env[variable] ?? "";
    return posix.join(
      posix.isAbsolute(value) ? value : posix.join(machine.home, ...fallback),
      NAME,
    );
  };
  const runtime = machine.env["XDG_RUNTIME_DIR"] ?? "";
  return {
    config: base("XDG_CONFIG_HOME", ".config"),
    state: base("XDG_STATE_HOME", ".local", "state"),
    cache: base("XDG_CACHE_HOME", ".cache"),
    runtime: posix.isAbsolute(runtime) ? posix.join(runtime, NAME) : ownTmp,
  };
}

/** The roaming profile holds the config, the local one what belongs to this machine. */
function windowsFolders(machine: Machine): HotplugFolders {
  const profile = (variable: string, folder: string): string => {
    const value = machine.env[variable] ?? "";
    return win32.isAbsolute(value) ? value : win32.join(machine.home, "AppData", folder);
  };
  const local = win32.join(profile("LOCALAPPDATA", "Local"), NAME);
  return {
    config: win32.join(profile("APPDATA", "Roaming"), NAME),
    state: win32.join(local, "state"),
    cache: win32.join(local, "cache"),
    runtime: win32.join(local, "run"),
  };
}
