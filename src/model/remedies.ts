/**
 * What a user can do about a server that does not run, as hints that name the command.
 * @module
 */

/** A server that a workspace file switches off, or a store's server that none enables. */
export function remedyForDisabled(name: string): string {
  return `To use it here: mcp enable ${shownName(name)}`;
}

/**
 * A server that is off where it is defined, or by something else of its host.
 * @param where The file of the entry, `null` when it comes from no file; whether its host's own
 * switches can be edited; what to do by hand, `null` when there is no better advice than the file.
 */
export function remedyForOff(
  name: string,
  where: {
    readonly path: string | null;
    readonly editable: boolean;
    readonly byHand?: string | null;
  },
): string {
  const { path, editable, byHand = null } = where;
  if (editable) return `To switch it on in that file: mcp enable --in-place ${shownName(name)}`;
  return byHand ?? `Switch it on ${path === null ? "where it is defined" : `in "${path}"`}`;
}

/** A name that a workspace file enables and that is defined nowhere. */
export function remedyForMissing(name: string): string {
  return `Define it: mcp add ${shownName(name)} -- <command>; or take it out: ` +
    `mcp disable ${shownName(name)}`;
}

/** A server's name as a shell takes it: in single quotes, in which nothing of it is run. */
export function shownName(name: string): string {
  const isPlain = /^[\w@.:/+][\w@.:/+-]*$/.test(name);
  return isPlain ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}

/** A server that asks for an authorisation that nobody has given yet. */
export function remedyForLogin(): string {
  return 'If you have a token for it, set it in the "headers" of its entry, such as ' +
    '"Authorization": "Bearer ${TOKEN}"';
}
