/** Systems as users call them. */
export type ForeignSystem = "Windows" | "Linux or macOS";

/**
 * The system whose way of writing paths a command or folder follows, when it is not this one; `null` for a
 * bare name and for what may be a path here. Config files are copied between machines, and a home
 * of Windows is read from WSL, so such commands come up.
 *
 * @param windows Whether this system is Windows.
 */
export function foreignSystem(command: string, windows: boolean): ForeignSystem | null {
  if (windows) return /^\/[^/\\:]+\/[^\\:]*$/.test(command) ? "Linux or macOS" : null;
  const isWindows = /^[a-z]:[/\\]/i.test(command) || /^\\\\/.test(command) ||
    (command.includes("\\") && !command.includes("/"));
  return isWindows ? "Windows" : null;
}

/** What to do about a path of another system, by which a program or folder is named. */
export function foreignRemedy(
  system: ForeignSystem,
  what: "program" | "folder" = "program",
): string {
  return `It is a path as ${system} writes it, so the entry seems to come from another machine ` +
    `or home; name the ${what} as it is called here`;
}
