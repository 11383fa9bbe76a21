import { splitCommandLine } from "../definitions/command_line.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";

/** Characters that a shell leaves alone, and those of placeholders within. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** An entry of a host that takes a command with its arguments in one text when `args` is empty. */
export function withCommandWords(entry: JsonObject): JsonObject {
  const { command, args } = entry;
  const hasArgs = Array.isArray(args) && args.length > 0;
  if (typeof command !== "string" || hasArgs || (args !== undefined && !Array.isArray(args))) {
    return entry;
  }
  const [program, ...words] = splitCommandLine(command);
  return program === undefined || words.length === 0
    ? entry
    : { ...entry, command: program, args: words };
}

/** An entry of a host that joins command and arguments to one line and gives it to a shell. */
export function withShellWords(entry: JsonObject): JsonObject {
  const { command, args = [] } = entry;
  if (typeof command !== "string" || !Array.isArray(args)) return entry;
  const given = args as readonly JsonValue[];
  if (given.some((word) => typeof word === "object")) return entry;
  const line = [command, ...given].map(String).join(" ");
  const [program, ...words] = splitCommandLine(line);
  if (program === undefined) return entry;
  return { ...entry, command: program, ...(words.length === 0 ? {} : { args: words }) };
}

/** A word as a shell has to be told it to take it for one. */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
