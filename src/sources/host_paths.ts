import { isAbsolute, join } from "node:path";
import type { Machine } from "../model/machine.ts";

/** A path below the home folder. */
export function inHome({ home }: Machine, ...parts: readonly string[]): string {
  return join(home, ...parts);
}

/**
 * A path below the XDG config folder, `~/.config` by default. Many agents use it on every system.
 * A relative value of the variable is ignored, as the specification of these folders asks.
 */
export function inConfig(machine: Machine, ...parts: readonly string[]): string {
  return join(movedTo(machine, "XDG_CONFIG_HOME") ?? join(machine.home, ".config"), ...parts);
}

/** A path below the XDG data folder, `~/.local/share` by default. */
export function inData(machine: Machine, ...parts: readonly string[]): string {
  return join(movedTo(machine, "XDG_DATA_HOME") ?? join(machine.home, ".local/share"), ...parts);
}

/**
 * A path below the folder in which desktop programs keep a user's settings: `APPDATA` on Windows,
 * `Application Support` on macOS, the XDG config folder elsewhere.
 */
export function inApplications(machine: Machine, ...parts: readonly string[]): string {
  const { platform, home } = machine;
  if (platform === "win32") return inRoaming(machine, ...parts);
  if (platform === "darwin") return join(home, "Library", "Application Support", ...parts);
  return inConfig(machine, ...parts);
}

/** A path below the roaming profile of Windows. */
export function inRoaming(machine: Machine, ...parts: readonly string[]): string {
  return join(machine.env["APPDATA"] || join(machine.home, "AppData", "Roaming"), ...parts);
}

/** A path below the local profile of Windows. */
export function inLocal(machine: Machine, ...parts: readonly string[]): string {
  return join(machine.env["LOCALAPPDATA"] || join(machine.home, "AppData", "Local"), ...parts);
}

/** How an agent's folder for the settings of all users is called on each system. */
export interface SystemFolder {
  /** Below `/etc`. */
  readonly linux: string;
  /** Below `/Library/Application Support`. */
  readonly darwin: string;
  /** Below the folder of Windows for the settings of all users. */
  readonly win32: string;
}

/** A path below an agent's folder for the settings of all users, which an administrator makes. */
export function inSystem(
  machine: Machine,
  folder: SystemFolder,
  ...parts: readonly string[]
): string {
  const { platform } = machine;
  if (platform === "win32") return inProgramData(machine, folder.win32, ...parts);
  return platform === "darwin"
    ? join("/Library/Application Support", folder.darwin, ...parts)
    : join("/etc", folder.linux, ...parts);
}

/** A path below the folder of Windows for the settings of all users. */
export function inProgramData(machine: Machine, ...parts: readonly string[]): string {
  return join(machine.env["PROGRAMDATA"] || "C:\\ProgramData", ...parts);
}

/**
 * The absolute path in a variable; `null` when it is unset or relative. A relative one would make
 * a file of whatever folder one is in the user's own.
 */
export function movedTo({ env }: Machine, variable: string): string | null {
  const path = env[variable]?.trim() ?? "";
  return isAbsolute(path) ? path : null;
}

/** Editors of the VS Code family, by the names of their settings folders. */
export const EDITORS: readonly string[] = [
  "Code",
  "Code - Insiders",
  "Cursor",
  "Windsurf",
  "VSCodium",
];

/** Where one extension keeps a file, in every editor of the VS Code family. */
export function extensionFiles(
  machine: Machine,
  extension: string,
  file: readonly string[],
): readonly string[] {
  return EDITORS.map((editor) =>
    inApplications(machine, editor, "User", "globalStorage", extension, ...file)
  );
}
