import { join } from "node:path";
import type { Machine } from "../model/machine.ts";

/**
 * The folder in which desktop programs keep a user's settings: `APPDATA` on Windows,
 * `Application Support` on macOS, the XDG config folder elsewhere. XDG paths that are not
 * absolute are ignored, as that specification asks.
 */
export function applicationFolder(machine: Machine): string {
  const { platform, env, home } = machine;
  if (platform === "win32") return env["APPDATA"] || join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  const xdg = env["XDG_CONFIG_HOME"];
  return xdg?.startsWith("/") ? xdg : join(home, ".config");
}

/** Editors of the VS Code family, by the names of their settings folders. */
const EDITORS: readonly string[] = ["Code", "Code - Insiders", "Cursor", "Windsurf", "VSCodium"];

/** Where one extension keeps a file, in every editor of the VS Code family. */
export function extensionFiles(
  machine: Machine,
  extension: string,
  file: readonly string[],
): readonly string[] {
  const base = applicationFolder(machine);
  return EDITORS.map((editor) => join(base, editor, "User", "globalStorage", extension, ...file));
}
