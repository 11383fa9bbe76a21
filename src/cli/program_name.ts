/** The names that the program is installed under; the first is the usual one. */
const NAMES = ["mcp", "hotplug"] as const;

/**
 * The name that the user typed: `hotplug` when the program or its script is called so, else `mcp`.
 * @param paths Paths that may hold it: of the program and of the script.
 */
export function programName(paths: readonly (string | undefined)[]): string {
  for (const path of paths) {
    const file = path?.split(/[/\\]/).at(-1)?.replace(/\.(?:exe|[cm]?[jt]s)$/i, "");
    const name = NAMES.find((known) => known === file);
    if (name !== undefined) return name;
  }
  return NAMES[0];
}
