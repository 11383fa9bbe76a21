/**
 * What a user can do about a server that does not run, as hints. They name the file and key to
 * edit; where a command does the edit, this is the one place to name it instead.
 * @module
 */

/** A server that a workspace file lists as disabled. */
export function remedyForListedOff(name: string, path: string): string {
  return `To use it here, take ${JSON.stringify(name)} out of "disabledMcpServers" in "${path}"`;
}

/**
 * A store's server that no workspace file enables.
 * @param path The workspace file that enables servers of its store; `null` when there is none.
 */
export function remedyForUnclaimed(name: string, path: string | null): string {
  const file = path === null ? "the workspace file" : `"${path}"`;
  return `To use it here, add ${JSON.stringify(name)} to "enabledMcpServers" in ${file}, ` +
    "then run: mcp trust";
}

/**
 * A server that is off in the file that defines it.
 * @param path The file; `null` when it comes from no file.
 */
export function remedyForOff(path: string | null): string {
  return path === null
    ? "Switch it on where it is defined"
    : `To use it, take "disabled" or "enabled": false out of its entry in "${path}"`;
}

/** A name that a workspace file enables and that is defined nowhere. */
export function remedyForMissing(name: string, path: string): string {
  return `Define ${JSON.stringify(name)} in the store or in .mcp.json, or take it out of ` +
    `"enabledMcpServers" in "${path}"`;
}

/** A server that asks for an authorisation that nobody has given yet. */
export function remedyForLogin(): string {
  return 'If you have a token for it, set it in the "headers" of its entry, such as ' +
    '"Authorization": "Bearer ${TOKEN}"';
}
