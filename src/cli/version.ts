import { VERSION } from "../model/version.ts";

/** Tells whether a command line asks for the version and nothing else. */
export function asksForVersion(args: readonly string[]): boolean {
  const [first, ...rest] = args;
  if (first !== "--version" && first !== "-V") return false;
  return rest.every((argument) => argument === "--json");
}

/**
 * What `--version` prints, with its line end. As JSON it names the program, by which generated
 * hook files tell this `mcp` from other programs of that name.
 */
export function versionText(json: boolean): string {
  return json
    ? `${JSON.stringify({ schemaVersion: 1, name: "hotplug", version: VERSION })}\n`
    : `hotplug ${VERSION}\n`;
}
