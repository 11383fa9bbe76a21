/** Name of the one entry that a host's file gets. */
export const ENTRY_NAME = "hotplug";

/** The arguments that make the program serve a kind of host. Pure. */
export function servingWords(kind: string): readonly string[] {
  return ["serve", "--for", kind];
}
