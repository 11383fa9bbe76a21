import type { NewServer } from "../edit/new_server.ts";
import type { ServerConfig, TransportType } from "../model/definition.ts";
import { usageError } from "./run_action.ts";

/** A server as a command line describes it. */
export interface AddWords {
  /** The name, then the program with its arguments, or the address. */
  readonly words: readonly string[];
  /** `stdio`, `http` or `sse`; absent: told by the other words. */
  readonly transport?: "stdio" | "http" | "sse" | undefined;
  /** Address of a remote server. */
  readonly url?: string | undefined;
  /** `NAME=value`, each for one variable. */
  readonly env?: readonly string[] | undefined;
  /** `Name: value`, each for one header. */
  readonly header?: readonly string[] | undefined;
  /** Working folder of the server. */
  readonly cwd?: string | undefined;
}

/** An address, which no program is called. */
const ADDRESS = /^https?:\/\//i;

/** How a server is given in words, for hints. */
export const FORMS: string =
  "mcp add <name> -- <command> [argument...], or mcp add <name> --url <url>";

/**
 * The server that the words describe. Pure.
 *
 * @throws {HotplugError} `usage` for words that do not fit together. No value is quoted.
 */
export function newServer(given: AddWords): NewServer {
  const [name, ...target] = given.words;
  if (name === undefined || name.trim() === "" || ADDRESS.test(name)) {
    throw usageError("Cannot add a server without a name", FORMS);
  }
  const isAddress = ADDRESS.test(target[0] ?? "");
  const remote = given.url !== undefined || given.transport === "http" ||
    given.transport === "sse" || isAddress;
  const config = remote ? remoteConfig(given, target) : localConfig(given, target);
  return { name, config, dialect: "hotplug" };
}

function remoteConfig(given: AddWords, target: readonly string[]): ServerConfig {
  if (given.transport === "stdio") {
    throw usageError("Cannot add a url as a stdio server", "Use --transport http, or leave it out");
  }
  const [url, ...more] = given.url === undefined ? target : [given.url, ...target];
  if (url === undefined) throw usageError("Cannot add a remote server without its url", FORMS);
  if (more.length > 0) {
    throw usageError(
      "Cannot add a server with a url and a command",
      "A server is either local or remote: give one of the two",
    );
  }
  if ((given.env ?? []).length > 0 || given.cwd !== undefined) {
    const flag = given.cwd === undefined ? "--env" : "--cwd";
    throw usageError(`Cannot use ${flag} with a url: it is for a local server`, FORMS);
  }
  const types: Readonly<Record<string, TransportType>> = { http: "streamable_http", sse: "sse" };
  const type = given.transport === undefined ? undefined : types[given.transport];
  const headers = pairs(given.header ?? [], "--header", /^\s*([^:=\s]+)\s*:\s*([\s\S]*)$/);
  return {
    ...(type === undefined ? {} : { type }),
    url,
    ...(headers === null ? {} : { headers }),
  };
}

function localConfig(given: AddWords, target: readonly string[]): ServerConfig {
  const [command, ...args] = target;
  if (command === undefined) {
    throw usageError("Cannot add a server without a command or url", FORMS);
  }
  if ((given.header ?? []).length > 0) {
    throw usageError("Cannot use --header with a command: it is for a remote server", FORMS);
  }
  refuseOption(command, given);
  const env = pairs(given.env ?? [], "--env", ENV_PAIR);
  return {
    type: "stdio",
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env === null ? {} : { env }),
    ...(given.cwd === undefined ? {} : { cwd: given.cwd }),
  };
}

/** A variable and its value. */
const ENV_PAIR = /^([^=\s]+)=([\s\S]*)$/;

/** Refuses words in the place of the command that surely belong elsewhere. */
function refuseOption(command: string, { env = [] }: AddWords): void {
  if (command.startsWith("-")) {
    throw usageError("Cannot add a server whose command is an option", FORMS);
  }
  if (env.length > 0 && /^[A-Za-z_]\w*=/.test(command)) {
    throw usageError(
      "Cannot add a server whose command is NAME=value",
      "Give each variable an --env of its own",
    );
  }
}

/** Names and values; `null` when there are none. */
function pairs(
  texts: readonly string[],
  flag: string,
  shape: RegExp,
): Readonly<Record<string, string>> | null {
  if (texts.length === 0) return null;
  const entries = texts.map((text): [string, string] => {
    const match = shape.exec(text);
    if (match === null) {
      const form = flag === "--env" ? "NAME=value" : '"Name: value"';
      throw usageError(`Cannot use ${flag}: expected ${form}`, `Write ${flag} ${form}`);
    }
    return [match[1] ?? "", match[2] ?? ""];
  });
  return Object.fromEntries(entries);
}
